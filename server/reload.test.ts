import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { processStatus } from '#lib/contract/activity.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function configuredWarden() {
  const fleet = await startSimulatedFleet({ speed: 5, replicas: 1 });
  const warden = await startTestWarden({ fleets: [fleet] });
  closing.push(fleet, warden);
  const path = join(warden.dataDir, 'warden.yaml');
  const text = readFileSync(path, 'utf8');
  /** As an editor and `systemctl reload` do. Resolves as soon as the signal has come, long before the file is looked at. */
  const write = async (changed: string): Promise<void> => {
    const heard = once(process, 'SIGHUP');
    writeFileSync(path, changed);
    process.kill(process.pid, 'SIGHUP');
    await heard;
  };
  return { warden, text, write };
}

const warningsOf = async (warden: TestWarden) =>
  processStatus.parse(await (await fetch(`${warden.url}/api/status`)).json()).warnings;

describe('SIGHUP', () => {
  it('puts a changed file in force while a stream goes on to its end', async () => {
    const { warden, text, write } = await configuredWarden();
    const body = { model: TEST_MODEL, prompt: 'hi', max_tokens: 400, stream: true, ignore_eos: true };
    const stream = await warden.post('/v1/completions', body);
    await write(text.replace('max_num_seqs: 32', 'max_num_seqs: 16'));
    expect(await warden.routing()).toMatchObject({ max_num_seqs: 16, totals: { in_flight: 1 } });
    expect(await stream.text()).toContain('data: [DONE]');
  });

  it('leaves in force what was where the file is wrong, says so, and forgets it when the file is as before', async () => {
    const { warden, text, write } = await configuredWarden();
    await write(`${text}\nbogus: 1\n`);
    expect(await warningsOf(warden)).toMatchObject([
      { code: 'configuration', message: expect.stringContaining('unknown key bogus') },
    ]);
    expect((await warden.routing()).max_num_seqs).toBe(32);
    await write(text);
    expect(await warningsOf(warden)).toEqual([]);
  });
});
