import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiKind, Decision } from '#lib/routing/types.ts';
import { createBodyTap } from '#lib/usage/body-tap.ts';
import { createStreamTap, type StreamTap } from '#lib/usage/stream-tap.ts';
import { NO_USAGE, type Usage } from '#lib/usage/usage.ts';
import type { Placement } from '#server/router/placement.ts';
import { type Answer, createAnswer } from './answer.ts';
import type { AnswerShape, StreamShaper } from './answer-shape.ts';
import { type ApiError, sendApiError } from './api-error.ts';
import { clientHeaders, upstreamHeaders } from './headers.ts';
import type { Exchange, UpstreamFailure, Upstreams } from './upstream.ts';

export type ForwardJob = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly placement: Placement;
  readonly api: ApiKind;
  /** Path and query for the engine. */
  readonly path: string;
  readonly body: Buffer;
  readonly shape: AnswerShape;
  /** A request that an engine has already died under is not given to another one a third time. */
  readonly maySendAgain: boolean;
  /**
   * Where no connection can be made and there is no other replica: true leaves the response untouched, so that the
   * request can wait for the engine; false answers with an error.
   */
  readonly waitsForEngine: boolean;
  readonly apiKey: string | null;
  readonly passesClientKey: boolean;
  readonly requestId: string;
  /** The router's own span, for the engine; null: the client's goes on as it is. */
  readonly traceparent: string | null;
  readonly sessionSource: string;
  /** How long it was held in the router, in ms; null where nothing is ever held. */
  readonly queuedMs: number | null;
  readonly upstreams: Upstreams;
  readonly now: () => number;
};

export type ForwardResult = {
  readonly decision: Decision;
  readonly status: number;
  /** `not_sent`: no engine could be reached and nothing was answered. */
  readonly outcome: 'ok' | 'client_left' | 'engine_error' | 'upstream_failed' | 'not_sent';
  /** An engine died under it, or an idle connection was closed at that moment. */
  readonly wasReset: boolean;
  readonly usage: Usage;
  /** When the first body byte was sent on; null when none was. */
  readonly firstByteAt: number | null;
};

/**
 * Carries one request to its replica and the answer back, as bytes arrive. Whatever happens, the place on the replica
 * is given back exactly once and the promise resolves exactly once; nothing is thrown.
 *
 * A request is sent a second time only while no byte of an answer has arrived: to another replica when no connection
 * came about (nothing was sent); once when a connection died (an idle connection that the engine closed at that
 * moment; vLLM drops the work of a connection that is gone), to the same one unless that does it again and again.
 */
export function forward(job: ForwardJob): Promise<ForwardResult> {
  return new Promise((resolve) => new Forwarding(job, resolve).start());
}

class Forwarding {
  readonly #job: ForwardJob;
  readonly #resolve: (result: ForwardResult) => void;
  readonly #answer: Answer;
  #placement: Placement;
  #exchange: Exchange | null = null;
  #tap: StreamTap | null = null;
  #shaper: StreamShaper | null = null;
  /** The parts of a whole answer that is to be changed. */
  #held: Buffer[] | null = null;
  #heldHead: { status: number; headers: Record<string, string | string[]> } | null = null;
  #firstByteAt: number | null = null;
  /** The first byte comes when the prompt has been computed. */
  #tellsOfPrompt = false;
  #stalled: NodeJS.Timeout | null = null;
  #resent = false;
  #settled = false;

  constructor(job: ForwardJob, resolve: (result: ForwardResult) => void) {
    this.#job = job;
    this.#resolve = resolve;
    this.#placement = job.placement;
    this.#answer = createAnswer(job.res);
  }

  start(): void {
    const { res } = this.#job;
    res.on('close', this.#onClientClose);
    res.on('drain', this.#onDrain);
    if (res.closed || res.destroyed) this.#onClientClose();
    else this.#send();
  }

  #send(): void {
    const { req, path, body, apiKey, passesClientKey, requestId, traceparent, upstreams } = this.#job;
    const { url, rank } = this.#placement.target;
    const headers = upstreamHeaders(req.headers, { apiKey, passesClientKey, rank, requestId, traceparent });
    this.#exchange = upstreams.send(
      { url, path, headers, body },
      {
        onResponse: (status, answer) => this.#onResponse(status, clientHeaders(answer)),
        onData: (chunk) => this.#onData(chunk),
        onEnd: () => this.#onEnd(),
        onFailure: (failure) => this.#onFailure(failure),
      },
    );
  }

  #onResponse(status: number, answered: Record<string, string | string[]>): void {
    const { shape } = this.#job;
    this.#placement.answered();
    const headers = Object.assign(answered, this.#routingHeaders());
    const type = String(headers['content-type'] ?? '');
    const isStream = type.startsWith('text/event-stream');
    if (isStream) {
      // A native response begins with an event that comes before its prompt is read.
      this.#tellsOfPrompt = !this.#job.path.startsWith('/v1/responses');
      this.#tap = createStreamTap();
      this.#shaper = shape.stream?.() ?? null;
      if (this.#shaper !== null) delete headers['content-length'];
    } else if (status < 300 && type.startsWith('application/json')) {
      this.#tap = createBodyTap();
      if (shape.body !== null) {
        this.#held = [];
        this.#heldHead = { status, headers };
        return;
      }
    }
    // A stream's headers come before its queueing and prefill: clients measure their patience from them.
    this.#answer.head(status, headers, isStream);
  }

  #onData(chunk: Buffer): boolean {
    if (this.#firstByteAt === null) {
      this.#firstByteAt = this.#job.now();
      this.#placement.firstByte(this.#firstByteAt);
      if (this.#tellsOfPrompt) this.#placement.answering();
    }
    this.#tap?.chunk(chunk);
    if (this.#held !== null) {
      this.#held.push(chunk);
      return true;
    }
    const goesOn = this.#shaper === null ? this.#answer.write(chunk) : this.#writeAll(this.#shaper.chunk(chunk));
    if (!goesOn) this.#stalled ??= setTimeout(() => this.#job.res.destroy(), this.#job.upstreams.silenceMs);
    return goesOn;
  }

  readonly #onDrain = (): void => {
    this.#clearStalled();
    this.#exchange?.resume();
  };

  #clearStalled(): void {
    if (this.#stalled !== null) clearTimeout(this.#stalled);
    this.#stalled = null;
  }

  #writeAll(parts: readonly Uint8Array[]): boolean {
    for (const part of parts) this.#answer.write(part);
    return !this.#job.res.writableNeedDrain;
  }

  #onEnd(): void {
    const { res } = this.#job;
    this.#writeHeld();
    if (this.#shaper !== null) this.#writeAll(this.#shaper.end());
    if (this.#shaper?.isComplete() === false) {
      this.#settle('upstream_failed');
      res.destroy();
      return;
    }
    const failed = this.#tapped().sawError || res.statusCode >= 500;
    this.#settle(failed ? 'engine_error' : 'ok');
    this.#answer.end();
  }

  /** Sends a whole answer that was held to be changed; one that cannot be goes out as the engine sent it. */
  #writeHeld(): void {
    if (this.#held === null || this.#heldHead === null) return;
    const own = Buffer.concat(this.#held);
    const body = this.#job.shape.body?.(own) ?? own;
    const { status, headers } = this.#heldHead;
    this.#answer.head(status, { ...headers, 'content-length': String(body.length) }, false);
    this.#answer.write(body);
  }

  #onFailure(failure: UpstreamFailure): void {
    const { res } = this.#job;
    if (res.headersSent) {
      this.#placement.broke(failure.message);
      // Part of the answer is out: cutting the connection is the only honest end of it.
      this.#settle('upstream_failed');
      res.destroy();
      return;
    }
    if (this.#sendsAgain(failure)) {
      this.#send();
      return;
    }
    if (failure.kind === 'unreachable' && this.#job.waitsForEngine) {
      this.#settle('not_sent');
      return;
    }
    for (const [name, value] of Object.entries(this.#routingHeaders())) res.setHeader(name, value);
    sendApiError(res, this.#job.api, failureError(failure));
    this.#settle('upstream_failed');
  }

  /** True where it is worth another try, for which the placement is then the one to use. */
  #sendsAgain(failure: UpstreamFailure): boolean {
    if (failure.kind === 'unreachable') {
      this.#placement.unreachable();
      return this.#movesOn();
    }
    const leavesAlone = this.#placement.broke(failure.message);
    if (failure.kind !== 'reset' || this.#resent || !this.#job.maySendAgain) return false;
    this.#resent = true;
    if (leavesAlone) this.#movesOn();
    return true;
  }

  #movesOn(): boolean {
    const other = this.#placement.failOver();
    if (other !== null) this.#placement = other;
    return other !== null;
  }

  readonly #onClientClose = (): void => {
    if (this.#settled) return;
    this.#exchange?.abort();
    this.#settle('client_left');
  };

  #routingHeaders(): Record<string, string> {
    const { requestId, sessionSource, queuedMs } = this.#job;
    const { decision, replica } = this.#placement;
    return {
      ...(replica === null ? {} : { 'x-warden-replica': String(replica) }),
      'x-warden-decision': decision.kind,
      'x-warden-session-source': sessionSource,
      ...(queuedMs === null ? {} : { 'x-warden-queued-seconds': String(queuedMs / 1000) }),
      'x-request-id': requestId,
    };
  }

  #tapped(): { readonly usage: Usage; readonly sawError: boolean } {
    return this.#tap?.result() ?? { usage: NO_USAGE, sawError: false };
  }

  #settle(outcome: ForwardResult['outcome']): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#clearStalled();
    const { res } = this.#job;
    // The same response may be tried again, any number of times.
    res.off('close', this.#onClientClose);
    res.off('drain', this.#onDrain);
    const { usage } = this.#tapped();
    if (outcome === 'not_sent') this.#placement.withdraw();
    else this.#placement.release(outcome === 'ok' || outcome === 'engine_error', usage);
    this.#resolve({
      decision: { ...this.#placement.decision, replica: this.#placement.replica },
      // 499, nginx's word for a client that left before it was answered.
      status: outcome === 'client_left' && !res.headersSent ? 499 : res.statusCode,
      outcome,
      wasReset: this.#resent || !this.#job.maySendAgain,
      usage,
      firstByteAt: this.#firstByteAt,
    });
  }
}

function failureError(failure: UpstreamFailure): ApiError {
  switch (failure.kind) {
    case 'unreachable':
      return {
        status: 503,
        code: 'engine_unreachable',
        message: `The engine cannot be reached: ${failure.message}.`,
        retryAfterSeconds: 5,
      };
    case 'timeout':
      return { status: 504, code: 'engine_timeout', message: `The engine did not answer in time: ${failure.message}.` };
    case 'reset':
    case 'broken':
      return { status: 502, code: 'engine_broke', message: `The engine broke off: ${failure.message}.` };
  }
}
