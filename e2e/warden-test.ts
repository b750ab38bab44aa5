import { test as base } from 'playwright/test';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';

type Fixtures = {
  /** Variables of the process that the test talks to. */
  wardenEnv: Readonly<Record<string, string>>;
  warden: BuiltWarden;
};

/** A test with a product of its own: fresh data, the embedded simulated fleet, and `page` at its address. */
export const test = base.extend<Fixtures>({
  wardenEnv: [{}, { option: true }],
  warden: async ({ wardenEnv }, use) => {
    const warden = await startBuiltWarden(wardenEnv);
    await use(warden);
    await warden.dispose();
  },
  baseURL: async ({ warden }, use) => use(warden.url),
});
