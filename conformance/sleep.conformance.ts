import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, type TestWarden } from '#server/warden-for-tests.ts';
import { API_KEY } from './global-setup.ts';
import { MODEL, newSession, turn } from './product.ts';

const urls = inject('twoServers');
const headers = { authorization: `Bearer ${API_KEY}` };
let warden: TestWarden;
beforeAll(async () => {
  const fleets = urls.map((url) => ({ url }));
  warden = await startTestWarden({ fleets, model: { ...MODEL, api_key: API_KEY } });
});
afterAll(() => warden.close());

it('shows an engine that sleeps as down with the reason, leaves it alone, and takes it back when it wakes', async () => {
  const [asleep] = urls;
  await fetch(`${asleep}/sleep?level=1`, { method: 'POST', headers });
  try {
    expect((await fetch(`${asleep}/health`)).status).toBe(200);
    await eventually(async () => {
      const { replicas, engine } = await warden.routing();
      expect(replicas.map(({ health }) => health)).toEqual(['down', 'up']);
      expect(engine.error).toContain('sleeps');
    }, 30_000);
    expect(await turn(warden, newSession())).toMatchObject({ status: 200, replica: 1 });
  } finally {
    await fetch(`${asleep}/wake_up`, { method: 'POST', headers });
  }
  await eventually(async () => expect((await warden.routing()).health).toBe('up'), 30_000);
});
