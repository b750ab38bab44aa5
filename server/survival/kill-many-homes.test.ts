import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { TEST_MODEL } from '#server/warden-for-tests.ts';
import { startToKill } from './killed-warden.ts';
import { measureLateness } from './lateness.ts';

const MANY = 1_500;
/** Saved every second, homes a tenth later, and half a second to write. */
const SAVED_MS = 1_600;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function turn(url: string | null, session: string) {
  const answer = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': `conversation-${session}` },
    body: JSON.stringify({ model: TEST_MODEL, prompt: 'hi', max_tokens: 1 }),
  });
  await answer.text();
  return { decision: answer.headers.get('x-warden-decision'), replica: answer.headers.get('x-warden-replica') };
}

it('with more than a thousand homes, too, one is kept from a second after it was made', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-kill-many-'));
  const fleet = await startSimulatedFleet({ speed: 1000 });
  const lateness = measureLateness();
  onTestFinished(async () => {
    lateness.stop();
    await fleet.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const config = { models: [{ name: TEST_MODEL, max_num_seqs: 128, replicas: [{ url: fleet.url }] }] };
  writeFileSync(join(dataDir, 'warden.yaml'), stringify(config));
  const warden = await startToKill(dataDir);
  const url = await warden.url;
  for (let first = 0; first < MANY; first += 25) {
    await Promise.all(Array.from({ length: 25 }, (_, index) => turn(url, `${first + index}`)));
  }
  const last = new Map<string, string | null>();
  for (let index = 0; index < 12; index += 1) {
    last.set(`last-${index}`, (await turn(url, `last-${index}`)).replica);
    await pause(250);
  }
  await pause(SAVED_MS);
  await pause(lateness.before(Date.now()));
  await warden.kill();

  const after = await startToKill(dataDir);
  const found = new Map<string, unknown>();
  for (const session of last.keys()) found.set(session, await turn(await after.url, session));
  await after.kill();
  expect([...found]).toEqual([...last].map(([session, replica]) => [session, { decision: 'sticky', replica }]));
}, 90_000);
