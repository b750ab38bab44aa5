import type { EngineReading } from '#lib/engine/types.ts';

/** One model as the engine's `/v1/models` lists it. `parent` is set for a LoRA adapter. */
export type ServedModel = { readonly id: string; readonly maxModelLen: number | null; readonly parent: string | null };

/** What an engine process says of itself, read when it comes up. */
export type EngineFacts = {
  readonly models: readonly ServedModel[];
  readonly version: string | null;
  /** From `/server_info` in vLLM's development mode only; normally null. */
  readonly maxNumSeqs: number | null;
  /** True for the embedded simulated fleet (it says so in `/version`). */
  readonly simulated: boolean;
};

/**
 * One engine process. Every call has its own short time-out and throws an `EngineError` with a sentence for a person
 * ("GET http://…/metrics: connection refused").
 */
export type EngineAdapter = {
  readonly url: string;
  facts(signal: AbortSignal): Promise<EngineFacts>;
  /** Reads `/metrics`. No vLLM series: a reading without ranks. Throws where the engine says that it sleeps. */
  reading(signal: AbortSignal): Promise<EngineReading>;
  /** `GET /health`: false where the engine answers but says it is dead (503). Throws where nothing answers. */
  healthy(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
};
