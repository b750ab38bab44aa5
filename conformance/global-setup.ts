import type { TestProject } from 'vitest/node';
import { type RealEngine, startEngine } from './engine.ts';
import { prepareEnvironment } from './environment.ts';

declare module 'vitest' {
  /** The URLs of engines that are up, for every file of this folder. */
  interface ProvidedContext {
    /** Two data-parallel ranks behind it. */
    oneUrl: string;
    /** Two servers of one replica each, which want `API_KEY`. */
    twoServers: readonly string[];
  }
}

export const API_KEY = 'conformance-key';

/** Starts all engines once for the whole run; `WARDEN_VLLM_ATTACH` (JSON of what is given) uses running ones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const attach = process.env.WARDEN_VLLM_ATTACH;
  if (attach !== undefined) {
    const { oneUrl, twoServers } = JSON.parse(attach);
    project.provide('oneUrl', oneUrl);
    project.provide('twoServers', twoServers);
    return async () => {};
  }
  const environment = prepareEnvironment();
  const engines: RealEngine[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(engines.map((engine) => engine.stop()));
    environment.remove();
  };
  try {
    const start = async (options: Parameters<typeof startEngine>[1]): Promise<string> => {
      const engine = await startEngine(environment, options);
      engines.push(engine);
      return engine.url;
    };
    // One after the other: each of them takes all cores while it starts.
    project.provide('oneUrl', await start({ ranks: 2 }));
    const single = { ranks: 1, apiKey: API_KEY };
    project.provide('twoServers', [await start(single), await start(single)]);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}
