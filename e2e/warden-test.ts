import { test as base } from 'playwright/test';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { type ConfigFile, configFile } from './config-file.ts';
import { type Engine, startEngine } from './engine.ts';

type SharedFixtures = {
  /** Like `warden`, shared by the tests of one worker that leave it as it is. Nothing was ever sent to it. */
  idleWarden: BuiltWarden;
};

type Fixtures = {
  /** Starts the product with the given variables; it is gone when the test is over. */
  start: (env?: Readonly<Record<string, string>>) => Promise<BuiltWarden>;
  /** A product of this test's own, with nothing configured: the embedded simulated fleet. */
  warden: BuiltWarden;
  /** A simulated vLLM with four ranks that lives apart from the product. */
  engine: Engine;
  /** Writes a `warden.yaml` for this test. */
  config: (text: string) => ConfigFile;
};

export const test = base.extend<Fixtures, SharedFixtures>({
  idleWarden: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const warden = await startBuiltWarden();
      await use(warden);
      await warden.dispose();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  start: async ({}, use) => {
    const started: BuiltWarden[] = [];
    await use(async (env) => {
      const warden = await startBuiltWarden(env);
      started.push(warden);
      return warden;
    });
    for (const warden of started) await warden.dispose();
  },
  warden: async ({ start }, use) => use(await start()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  engine: async ({}, use) => {
    const engine = await startEngine();
    await use(engine);
    await engine.die();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  config: async ({}, use) => {
    const files: ConfigFile[] = [];
    await use((text) => {
      const file = configFile(text);
      files.push(file);
      return file;
    });
    for (const file of files) file.remove();
  },
});
