import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AlertNotice } from '#lib/contract/alerts.ts';

/** Sends alerts to a URL of the operator's, one after the other and in order. */
export type Webhook = {
  /** Never throws and never waits. */
  send(notice: AlertNotice): void;
  /** Gives up what has not been sent. */
  close(): Promise<void>;
};

export type WebhookOptions = {
  readonly url: string;
  readonly log: Logger;
  /** The first pause after a failure, doubled each time; ms. */
  readonly retryMs?: number;
};

/** A receiver that is away for an hour misses nothing; one that is away for a day is told of the newest only. */
const MOST_WAITING = 100;
const ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 600_000;
const ANSWER_WITHIN_MS = 10_000;

export function createWebhook({ url, log, retryMs = 2_000 }: WebhookOptions): Webhook {
  const { host } = new URL(url);
  const waiting: AlertNotice[] = [];
  const stopping = new AbortController();
  let sending: Promise<void> | null = null;

  /** The path of a webhook is often its secret: only the host is ever logged. */
  const attempt = async (notice: AlertNotice): Promise<string | null> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': `lm-warden/${notice.version}` },
        body: JSON.stringify(notice),
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.body?.cancel();
      return answer.ok ? null : `it answered ${answer.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause.message : String(cause);
    }
  };

  const deliver = async (notice: AlertNotice): Promise<void> => {
    let failure: string | null = null;
    for (let tried = 0; tried < ATTEMPTS && !stopping.signal.aborted; tried += 1) {
      if (tried > 0) await untilRetry(Math.min(LONGEST_PAUSE_MS, retryMs * 2 ** (tried - 1)), stopping.signal);
      if (stopping.signal.aborted) return;
      failure = await attempt(notice);
      if (failure === null) return;
      if (tried === 0) log.warn({ host, failure }, 'an alert could not be sent; it is tried again');
    }
    if (!stopping.signal.aborted) log.error({ host, failure, alert: notice.alert.code }, 'an alert was given up');
  };

  const deliverAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deliver(next);
    sending = null;
  };

  return {
    send(notice) {
      if (stopping.signal.aborted) return;
      waiting.push(notice);
      if (waiting.length > MOST_WAITING) waiting.shift();
      sending ??= deliverAll();
    },
    async close() {
      waiting.length = 0;
      stopping.abort();
      await sending;
    },
  };
}

/** Ends early where the process does. */
async function untilRetry(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
