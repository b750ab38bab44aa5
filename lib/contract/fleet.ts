import * as z from 'zod';
import { decisionKind } from './activity.ts';

const member = z.object({
  id: z.string(),
  url: z.string(),
  version: z.string(),
  started_at: z.string(),
  /** The warden that answers. */
  self: z.boolean(),
  models: z.array(z.object({ model: z.string(), in_flight: z.number(), held: z.number(), live_sessions: z.number() })),
});
export type FleetMember = z.infer<typeof member>;

/** `GET /api/fleet`: the wardens that share one memory. */
export const fleetState = z.object({
  /** False: this warden is alone, and the rest says so. */
  shared: z.boolean(),
  /** null where nothing is shared. */
  shared_memory_up: z.boolean().nullable(),
  /** Why it is away; null while it is not. */
  shared_memory_error: z.string().nullable(),
  /** Keys, people and sign-ins are the fleet's; false: this warden's own. */
  access_shared: z.boolean(),
  /** `live_sessions`: of those that this warden was the first to place, so that the sum counts each once. */
  members: z.array(member),
  /** Requests in flight by model and replica, of all wardens together. */
  replicas: z.array(
    z.object({
      model: z.string(),
      replica: z.number(),
      url: z.string(),
      in_flight_here: z.number(),
      in_flight_elsewhere: z.number(),
    }),
  ),
});
export type FleetState = z.infer<typeof fleetState>;

/** Where a warden answers its fellows for itself; the one path that a fellow's proof is good for. */
export const OWN_FIGURES_PATH = '/api/fleet/figures/own';

/** The 15 minutes of the figures, as of the range `15m`. */
export const FIGURES_WINDOW_SECONDS = 900;

const count = z.int().nonnegative();
const percent = z.number().nonnegative().nullable();
const seconds = z.number().nonnegative().nullable();

const took = {
  /** Finished ones, as on the page Stats; the other counts are of them. */
  requests: count,
  /** Refused, cut off or broken, except by their own client. */
  failed: count,
  /** A newer warden may have kinds that are not known here; they are not shown. */
  decisions: z.looseRecord(decisionKind, count),
  prompt_cached_tokens: count,
  prompt_computed_tokens: count,
  completion_tokens: count,
  /** Prompt tokens of the requests that the engine measured: what the hit share is a share of. */
  measured_prompt_tokens: count,
  /** Null where nothing was measured. */
  cache_hit_percent: percent,
  /** Quantiles are within 10 %; null where `count` is 0. */
  ttfb_seconds: z.object({ count, p50: seconds, p95: seconds }),
};
const figures = z.object(took);
const modelFigures = z.object({ model: z.string(), ...took });
/** What one warden took, or all of them. */
export type Figures = z.infer<typeof figures>;

/** Counts of the buckets of lib/series/latency-histogram.ts: quantiles do not add up, these do. */
const histogram = { ttfb_histogram: z.array(z.object({ bucket: count, count })).max(200) };
const ownFiguresOf = figures.extend(histogram);
export type SummableFigures = z.infer<typeof ownFiguresOf>;

/** `GET /api/fleet/figures/own`: what this warden itself took in the last 15 minutes, by its own database. */
export const ownFigures = z.object({
  warden: z.string(),
  /** By this warden's own clock. */
  from: z.string(),
  to: z.string(),
  alerts_firing: count,
  all: ownFiguresOf,
  models: z.array(modelFigures.extend(histogram)),
});
export type OwnFigures = z.infer<typeof ownFigures>;

/**
 * Why a warden's figures could not be read. `late`: no answer in time; `refused`: it did not let this one in;
 * `unknown_host`: it is not known by the name it was asked under; `older`: it does not have them; `another`: some other
 * warden answers at its URL; `needs_secret`: there is a password and no secret to be let in by; `not_asked`: too many.
 */
export const figuresProblemCode = z.enum([
  'refused_address',
  'unreachable',
  'late',
  'redirect',
  'refused',
  'unknown_host',
  'older',
  'failed',
  'not_understood',
  'another',
  'needs_secret',
  'not_asked',
]);

const figuresProblem = z.object({
  code: figuresProblemCode,
  /** The HTTP status, where that is the reason. */
  status: z.number().nullable(),
  /** A sentence in English. */
  message: z.string(),
});
export type FiguresProblem = z.infer<typeof figuresProblem>;

const readFigures = z.object({ alerts_firing: count, all: figures, models: z.array(modelFigures) });
export type ReadFigures = z.infer<typeof readFigures>;

const wardenFigures = z.object({
  id: z.string(),
  url: z.string(),
  /** The warden that answers. */
  self: z.boolean(),
  /** Null where it could not be read; then `problem` says why, and not otherwise. */
  figures: readFigures.nullable(),
  problem: figuresProblem.nullable(),
});
export type WardenFigures = z.infer<typeof wardenFigures>;

/** `GET /api/fleet/figures`: what each warden took in the last 15 minutes, asked of each over its own API. */
export const fleetFigures = z.object({
  /** False: this warden is alone, and the rest says so. */
  shared: z.boolean(),
  window_seconds: z.number(),
  wardens: z.array(wardenFigures),
  /** Of the wardens that could be read, `wardens` in number; null where there is none. */
  together: readFigures.extend({ wardens: count }).nullable(),
});
export type FleetFigures = z.infer<typeof fleetFigures>;
