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
const KILLS = 3;
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
  let warden = await startToKill(dataDir);
  let url = await warden.url;
  for (let first = 0; first < MANY; first += 25) {
    await Promise.all(Array.from({ length: 25 }, (_, index) => turn(url, `${first + index}`)));
  }
  const kept: unknown[] = [];
  const expected: unknown[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const made: { readonly session: string; readonly replica: string | null; readonly at: number }[] = [];
    // However long it is between two saves, they come at other times of it.
    const until = Date.now() + 3500 + 700 * kill;
    const mustBeKept = (now: number) => made.filter(({ at }) => now - at > SAVED_MS + lateness.before(now));
    while (Date.now() < until || mustBeKept(Date.now()).length < 2) {
      const session = `of-kill-${kill}-${made.length}`;
      const { replica } = await turn(url, session);
      made.push({ session, replica, at: Date.now() });
      await pause(150);
    }
    const killedAt = Date.now();
    await warden.kill();
    warden = await startToKill(dataDir);
    url = await warden.url;
    for (const { session, replica } of mustBeKept(killedAt)) {
      kept.push({ session, ...(await turn(url, session)) });
      expected.push({ session, decision: 'sticky', replica });
    }
  }
  await warden.kill();
  expect(kept).toEqual(expected);
  expect(kept.length).toBeGreaterThan(KILLS);
}, 120_000);
