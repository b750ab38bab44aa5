import { type ModelConfig, modelWithDefaults } from '#lib/config/schema.ts';
import { type ConfigurationSource, fixedSource } from './model-source.ts';
import { type EmbeddedFleet, startEmbeddedFleet } from './simulated-fleet/embedded-fleet.ts';

export const DEMO_MODEL = 'qwen3-4b-dp4';

/** The embedded fleet as the source of its model. It runs from when it is first wanted until the process ends. */
export type SimulatedSource = ConfigurationSource & {
  /** Starts the fleet where it does not run; what is configured has its model then. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createSimulatedSource(workerUrl: URL): SimulatedSource {
  let fleet: EmbeddedFleet | null = null;
  let source = fixedSource([]);
  return {
    current: () => source.current(),
    warnings: () => source.warnings(),
    close: () => source.close(),
    async start() {
      if (fleet !== null) return;
      fleet = await startEmbeddedFleet(workerUrl, { devMode: true });
      source = fixedSource([demoModel(fleet.url)]);
    },
    async stop() {
      await fleet?.close();
    },
  };
}

/** The embedded fleet as a model. Cache-fit is off elsewhere until it was measured there; here nothing can go wrong. */
function demoModel(url: string): ModelConfig {
  return modelWithDefaults({ name: DEMO_MODEL, aliases: ['claude-*'], replicas: [{ url }], cache_fit: true });
}
