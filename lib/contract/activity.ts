import * as z from 'zod';

export const decisionKind = z.enum([
  'placed',
  'sticky',
  'spilled',
  'failed_over',
  'client_pinned',
  'balanced',
  'unrouted',
]);

/** A sentence of the server in no language: its code, and the values in it. Unknown codes are shown in English. */
export const coded = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Coded = z.infer<typeof coded>;

/** A conversation that has a home, or waits for one. */
export const sessionEntry = z.object({
  model: z.string(),
  /** First 12 hex digits of the hashed key. */
  key: z.string(),
  source: z.string(),
  client: z.string().nullable(),
  /** Null: it is held, and has none yet. */
  home: z.number().nullable(),
  turns: z.number(),
  context_tokens: z.number().nullable(),
  last_hit_percent: z.number().nullable(),
  /** Why the last turn computed what the turn before had computed already; null where it did not. */
  last_miss: z.string().nullable(),
  last_miss_code: coded.nullable(),
  spills: z.number(),
  in_flight: z.number(),
  /** Its turn waits in the router for room: since when, at which place (1: the next), and how long it may take. */
  held_seconds: z.number().nullable(),
  queue_position: z.number().nullable(),
  expected_wait_seconds: z.number().nullable(),
  /** How often it gave up its place for others. */
  displaced: z.number(),
  last_decision: decisionKind.nullable(),
  last_seen: z.string(),
});
export type SessionEntry = z.infer<typeof sessionEntry>;

export const sessionOrder = z.enum(['newest', 'turns', 'context', 'spills']);

/**
 * `GET /api/sessions?model=&q=&order=&offset=&limit=`: a page of the conversations that have a home, or wait for one. `q`
 * is looked for in key, client, source and model.
 */
export const sessionList = z.object({
  sessions: z.array(sessionEntry),
  /** How many there are that have `q`, on this page or not, and how many of any kind. */
  matching: z.number(),
  total: z.number(),
});
export type SessionList = z.infer<typeof sessionList>;

/** A finished request. Never a prompt, never a header. */
export const requestEntry = z.object({
  id: z.string(),
  time: z.string(),
  model: z.string(),
  path: z.string(),
  client: z.string().nullable(),
  session: z.string().nullable(),
  session_source: z.string().nullable(),
  replica: z.number().nullable(),
  decision: decisionKind,
  /** Why it went where it went; `reason_code` is null for requests from before there were codes. */
  reason: z.string(),
  reason_code: coded.nullable(),
  /** Why it computed what the turn before had computed already; null where it did not, or is no turn of a session. */
  miss: z.string().nullable(),
  miss_code: coded.nullable(),
  prompt_tokens: z.number().nullable(),
  cached_tokens: z.number().nullable(),
  completion_tokens: z.number().nullable(),
  ttfb_seconds: z.number().nullable(),
  duration_seconds: z.number(),
  /** How long it waited in the router for room; null for requests from before there was admission. */
  queued_seconds: z.number().nullable(),
  /** Its conversation gave up its place to others with this turn. */
  displaced: z.boolean(),
  status: z.number(),
  /** How it ended: `ok`, `client_left`, `engine_error`, `upstream_failed`. */
  outcome: z.enum(['ok', 'client_left', 'engine_error', 'upstream_failed']),
});
export type RequestEntry = z.infer<typeof requestEntry>;

/** `slowest`: by time to the first byte; `longest`: by time from accepting the request to its end. */
export const requestOrder = z.enum(['newest', 'slowest', 'longest']);
/** `failed`: refused, cut off or broken, except by its own client, which is `client_left`. */
export const requestEnding = z.enum(['ok', 'client_left', 'failed']);

/** `GET /api/requests`: the finished requests that match, in the order asked for. */
export const requestList = z.object({
  requests: z.array(requestEntry),
  /** Given back as `before`, brings the page behind this one; null where this is the last. */
  next: z.string().nullable(),
});
export type RequestList = z.infer<typeof requestList>;

/** `GET /api/requests/clients`: the names of the clients whose requests are still stored. */
export const clientList = z.object({ clients: z.array(z.string()) });
export type ClientList = z.infer<typeof clientList>;

/** `GET /api/sessions/{key}`: one conversation and its last turns, oldest first. */
export const sessionDetail = z.object({
  /** Null where it has no home (any more). */
  session: sessionEntry.nullable(),
  turns: z.array(requestEntry),
  /** There are earlier turns than those. */
  has_more: z.boolean(),
});
export type SessionDetail = z.infer<typeof sessionDetail>;

/** Body of `POST /api/sessions/{key}/home`; answers the session with its new home. */
export const sessionMove = z.strictObject({ replica: z.union([z.int().min(0), z.literal('least_loaded')]) });
export type SessionMove = z.infer<typeof sessionMove>;

/** Answer of `DELETE /api/sessions/{key}`: its next turn is placed anew. */
export const sessionForgotten = z.object({ model: z.string(), key: z.string() });
/** `GET /api/models/{name}/in-flight`: the requests that hold a place now, oldest first. Never a prompt. */
export const inFlightList = z.object({
  model: z.string(),
  /** When this was true, by the clock of the other times here. */
  time: z.string(),
  requests: z.array(
    z.object({
      id: z.number(),
      /** When it took its place. */
      started_at: z.string(),
      client: z.string().nullable(),
      /** First 12 hex digits of the hashed key; null where the request has none. */
      session: z.string().nullable(),
      session_source: z.string().nullable(),
      /** Titles, token counts and the like belong to no conversation's flow. */
      side: z.boolean(),
      /** Null where the engine chooses. */
      replica: z.number().nullable(),
      decision: decisionKind,
      reason: z.string(),
      /** `waiting`: no byte of the answer has come yet. */
      state: z.enum(['waiting', 'streaming']),
      first_byte_at: z.string().nullable(),
    }),
  ),
});
export type InFlightList = z.infer<typeof inFlightList>;

/**
 * `GET /api/events`: toggles, restarts, replicas up and down. `facts`: the values in `detail`, an English sentence, to
 * write it in another language; null where the event has none.
 */
export const eventList = z.object({
  events: z.array(
    z.object({
      time: z.string(),
      model: z.string().nullable(),
      kind: z.string(),
      detail: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    }),
  ),
});
export type EventList = z.infer<typeof eventList>;

/** `GET /api/status`: the process itself. */
export const processStatus = z.object({
  version: z.string(),
  started_at: z.string(),
  simulated: z.boolean(),
  /** There was a simulated fleet; it was removed and can be brought back. */
  simulated_removed: z.boolean(),
  /** Synthetic agent sessions; null where the models are real engines. */
  demo: z.object({ sessions: z.number() }).nullable(),
  /** Things a person should know ("statistics are not being saved: disk full"). */
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type ProcessStatus = z.infer<typeof processStatus>;

export const demoRequest = z.strictObject({ sessions: z.int().min(0).max(64) });
export const demoState = z.object({ sessions: z.number() });

/** RFC 9457 problem details, `application/problem+json`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** The field at fault, where one is. */
  field: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;
