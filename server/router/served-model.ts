import type { ModelConfig } from '#lib/config/schema.ts';
import type { EngineProcess } from './engine-process.ts';

type Processes = readonly EngineProcess[];

/** The name that the engines serve the model under: configured, or as the first engine tells it. */
export function servedName(config: ModelConfig, processes: Processes): string {
  return config.served_model_name ?? processes[0]?.facts?.models[0]?.id ?? config.name;
}

/** The name to ask the engine for: one it serves is left alone (LoRA adapters, second names), others are replaced. */
export function upstreamName(requested: string, config: ModelConfig, processes: Processes): string {
  const isServed = processes.some((process) => process.facts?.models.some((model) => model.id === requested));
  return isServed ? requested : servedName(config, processes);
}

/** The largest context, in tokens, that all engines take; null where none has said. */
export function sharedContext(processes: Processes): number | null {
  return smallest(processes.flatMap((process) => process.facts?.models[0]?.maxModelLen ?? []));
}

/** The most sequences that every engine runs at a time; null where none has said. */
export function sharedMaxNumSeqs(processes: Processes): number | null {
  return smallest(processes.flatMap((process) => process.facts?.maxNumSeqs ?? []));
}

export function isSimulated(processes: Processes): boolean {
  return processes.some((process) => process.facts?.simulated === true);
}

const smallest = (values: readonly number[]): number | null => (values.length > 0 ? Math.min(...values) : null);
