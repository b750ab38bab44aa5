import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Caller } from '#lib/access/caller.ts';
import { withoutKeys } from '#lib/access/key-format.ts';
import { mayHaveMissed } from '#lib/conversations/why-missed.ts';
import { apiOfPath, type Endpoint } from '#lib/engine/endpoints.ts';
import { clientName } from '#lib/routing/client.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { NO_USAGE, type Usage } from '#lib/usage/usage.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { Placement } from '#server/router/placement.ts';
import type { RequestRow } from '#server/store/store.ts';
import { type ApiError, sendApiError } from './api-error.ts';
import { type ForwardResult, forward } from './forward.ts';
import { sendModelList } from './model-list.ts';
import { registryFor } from './registry-for.ts';
import { readBody } from './request-body.ts';
import type { BeginTrace, RequestTrace } from './request-trace.ts';
import { findEndpoint, Refusal, type UnderstandOptions, type Understood, understand } from './understand.ts';
import type { Upstreams } from './upstream.ts';

export type ProxyOptions = UnderstandOptions & {
  readonly upstreams: Upstreams;
  readonly maxBodyBytes: () => number;
  /** How long a request waits for an engine that was up and is away. */
  readonly engineAwayMs: () => number;
  /** Told of every request that had a place, once it is over. Must not throw. */
  readonly onFinished: (row: RequestRow) => void;
  /** Told of every request that the router answered itself, with one of its own error codes. Must not throw. */
  readonly onRefused: (code: string, status: number) => void;
  /** Absent where requests are not traced. */
  readonly beginTrace?: BeginTrace | undefined;
  readonly startedAt: number;
  readonly log: Logger;
};

/** Serves `/v1/…` and the engine's few other public paths: one request from being accepted to its place given back. */
export function createProxy(
  options: ProxyOptions,
): (req: IncomingMessage, res: ServerResponse, path: string, caller: Caller) => void {
  return (req, res, path, caller) => {
    const trace = req.method === 'POST' ? (options.beginTrace?.(req, path) ?? null) : null;
    serve({ ...options, caller, trace, registry: registryFor(options.registry, caller) }, req, res, path).catch(
      (error: unknown) => {
        if (error instanceof Refusal && !res.headersSent) {
          options.onRefused(error.error.code, error.error.status);
          trace?.refused(error.error.code, error.error.status);
          sendApiError(res, apiOfPath(path), error.error);
          return;
        }
        options.log.error({ err: error, path }, 'the proxy failed');
        trace?.refused('internal_error', 500);
        if (res.headersSent) {
          res.destroy();
          return;
        }
        options.onRefused('internal_error', 500);
        sendApiError(res, apiOfPath(path), {
          status: 500,
          code: 'internal_error',
          message: 'The router failed on this request; its log says more.',
        });
      },
    );
  };
}

/** The options as they are for the one who asks. */
type Serving = ProxyOptions & { readonly caller: Caller; readonly trace: RequestTrace | null };

async function serve(options: Serving, req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const { registry, now } = options;
  if (path === '/v1/models' && (req.method === 'GET' || req.method === 'HEAD')) {
    sendModelList(req, res, registry.models(), options.startedAt);
    return;
  }
  const startedAt = now();
  const arrivedAt = performance.now();
  const endpoint = findEndpoint(options, req, path);
  const received = await readBody(req, options.maxBodyBytes());
  if (received.kind === 'client_left') return options.trace?.abandoned();
  if (received.kind === 'too_large') throw new Refusal(tooLarge(options.maxBodyBytes()));

  const asked = await understand(options, req, endpoint, received.bytes);
  const { model, routed, turn } = asked;
  const client = clientName(req.headers['user-agent'] ?? null, req.headers);
  const id = requestIdOf(req);
  const result = await carry(options, req, res, { asked, endpoint, client, id, arrivedAt });
  if (result === null) return options.trace?.abandoned();

  const finishedAt = now();
  const { usage, decision } = result;
  const change = turn?.ended(result.outcome === 'ok', isWorthComparing(model, routed, usage)) ?? null;
  const firstBlockSent = !asked.pinnedBillingLine;
  const { kind, replica } = decision;
  const miss = model.turnFinished(routed, {
    ...usage,
    decision: kind,
    replica,
    startedAt,
    endedAt: finishedAt,
    change,
    firstBlockSent,
  });
  const { caller } = options;
  const served = { caller, id, model, endpoint, client, routed, miss, startedAt, finishedAt };
  const row = requestRow(served, result);
  options.onFinished(row);
  options.trace?.finished(row);
}

type Carried = {
  readonly asked: Understood;
  readonly endpoint: Endpoint;
  readonly client: string | null;
  readonly id: string;
  /** Of `performance.now()`: how long it waits must not depend on somebody setting the wall clock. */
  readonly arrivedAt: number;
};

/**
 * Waits for room where admission holds it back, takes a place and forwards; where the engine is away, waits for it and
 * does so again, as long as agents are patient. Null where the client left while it waited.
 */
async function carry(
  options: Serving,
  req: IncomingMessage,
  res: ServerResponse,
  { asked, endpoint, client, id, arrivedAt }: Carried,
): Promise<CarriedResult | null> {
  const { model, routed, turn } = asked;
  const deadline = arrivedAt + options.engineAwayMs();
  const left = new AbortController();
  res.once('close', () => left.abort());
  let isTurnPlaced = false;
  let maySendAgain = true;
  let queuedMs = 0;
  /** The turn comes to nothing; the same request may come again, and is the same turn then. */
  const giveUp = (): null => {
    if (isTurnPlaced) turn?.ended(false, false);
    return null;
  };
  for (;;) {
    const entering = { request: routed, client, heldMs: queuedMs, signal: left.signal };
    const pass = await model.admission.enter(entering);
    queuedMs += pass?.queuedMs ?? 0;
    const patienceMs = deadline - performance.now();
    const placement = pass === null ? null : await placed(model, routed, () => model.place(routed, client, pass));
    if (placement !== null && left.signal.aborted) {
      placement.withdraw();
      pass?.finished(NO_USAGE);
      return giveUp();
    }
    if (pass !== null && placement !== null) {
      if (!isTurnPlaced) turn?.placed();
      isTurnPlaced = true;
      const result = await forward({
        req,
        res,
        placement,
        api: endpoint.api,
        path: asked.upstreamPath + withoutKeys(queryOf(req.url ?? '')),
        body: asked.body,
        shape: asked.shape,
        maySendAgain,
        waitsForEngine: patienceMs > 0,
        apiKey: model.config.api_key ?? null,
        passesClientKey: options.caller.kind === 'local',
        requestId: id,
        traceparent: options.trace?.traceparent ?? null,
        sessionSource: routed.key?.source ?? 'none',
        queuedMs: pass.queuedMs === null ? null : queuedMs,
        upstreams: options.upstreams,
        now: options.now,
      });
      if (isSent(result)) return { ...result, queuedMs, gaveWay: pass.gaveWay };
      maySendAgain = !result.wasReset;
    }
    pass?.finished(NO_USAGE);
    const isBack = patienceMs > 0 && (await model.whenUp(routed, patienceMs, left.signal));
    // An engine may look well and still take no connection: whoever asks it again must not do so without end.
    if (isBack) await pause(BETWEEN_ATTEMPTS_MS, left.signal);
    if (left.signal.aborted) return giveUp();
    if (!isBack) {
      giveUp();
      throw new Refusal(noReplicaUp(model, routed));
    }
  }
}

const BETWEEN_ATTEMPTS_MS = 200;

/** Ends early with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}

/** Several wardens agree on where a new conversation lives, which takes a round trip; one alone never waits. */
function placed(
  model: ModelRuntime,
  routed: RoutedRequest,
  place: () => Placement | null,
): Placement | null | Promise<Placement | null> {
  return model.isShared ? model.placeAmong(routed, place) : place();
}

type SentResult = ForwardResult & { readonly outcome: Exclude<ForwardResult['outcome'], 'not_sent'> };

type CarriedResult = SentResult & { readonly queuedMs: number; readonly gaveWay: boolean };

function isSent(result: ForwardResult): result is SentResult {
  return result.outcome !== 'not_sent';
}

const TURNS_BETWEEN_COMPARISONS = 4;

/** A conversation's messages are read again now and then, and whenever its cache was missed, to say why. */
function isWorthComparing(model: ModelRuntime, routed: RoutedRequest, usage: Usage): boolean {
  if (routed.key === null) return false;
  const turns = model.sessions.get(routed.key.hash)?.turns ?? 0;
  return mayHaveMissed(usage) || turns <= 3 || turns % TURNS_BETWEEN_COMPARISONS === 0;
}

/** An engine that was up is restarting, which takes one to three minutes; one that never was is not worth a wait. */
function noReplicaUp(model: ModelRuntime, { pin, unpinnable }: RoutedRequest): ApiError {
  const isPinned = pin !== null && unpinnable === null;
  const asked = isPinned ? model.replicas.filter(([replica]) => replica === pin) : model.replicas;
  const processes = [...new Set(asked.map(([, { process }]) => process))];
  const reasons = processes.flatMap((process) => process.error ?? []).join('; ');
  const wasUp = processes.some((process) => process.lastUpAt !== null);
  const who = isPinned
    ? `Replica ${pin} of ${model.name}, which the request names, is not`
    : `No replica of ${model.name} is`;
  return {
    status: 503,
    code: 'no_replica_up',
    message: `${who} up${reasons === '' ? '' : `: ${reasons}`}.`,
    retryAfterSeconds: wasUp ? 30 : 10,
  };
}

function tooLarge(maxBytes: number): ApiError {
  return {
    status: 413,
    code: 'body_too_large',
    message: `The body is larger than ${maxBytes} bytes (limits.max_body_mb in warden.yaml).`,
    closeConnection: true,
  };
}

/** The query string with its question mark; `?beta=true` and the like are the engine's to read. */
function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}

/** The client's own id where it is one, so that its logs and the engine's name the same request. */
function requestIdOf(req: IncomingMessage): string {
  const id = req.headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? id : randomUUID();
}

type Served = {
  readonly caller: Caller;
  readonly id: string;
  readonly model: ModelRuntime;
  readonly endpoint: Endpoint;
  readonly client: string | null;
  readonly routed: RoutedRequest;
  readonly miss: RequestRow['miss'];
  readonly startedAt: number;
  readonly finishedAt: number;
};

function requestRow(served: Served, result: CarriedResult): RequestRow {
  return {
    id: served.id,
    model: served.model.name,
    startedAt: served.startedAt,
    finishedAt: served.finishedAt,
    path: served.endpoint.path,
    client: served.client,
    sessionHash: served.routed.key?.hash ?? null,
    sessionSource: served.routed.key?.source ?? null,
    replica: result.decision.replica,
    decision: result.decision.kind,
    reason: result.decision.reason,
    why: result.decision.why,
    miss: served.miss,
    promptTokens: result.usage.promptTokens,
    cachedTokens: result.usage.cachedTokens,
    completionTokens: result.usage.completionTokens,
    queuedMs: result.queuedMs,
    displaced: result.gaveWay,
    ttfbMs: result.firstByteAt === null ? null : result.firstByteAt - served.startedAt,
    status: result.status,
    outcome: result.outcome,
    apiKeyId: served.caller.kind === 'key' ? served.caller.key.id : null,
  };
}
