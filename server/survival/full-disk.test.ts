import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { processStatus } from '#lib/contract/activity.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';

/** A disk of two megabytes; null where this user may not mount one (it takes root). */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  return folder;
}

const disk = process.platform === 'linux' ? smallDisk() : null;

describe('a disk that is full', () => {
  // Where no small disk can be had, server/store/database.test.ts has a database that may not grow.
  it.skipIf(disk === null)('costs no request; it is told, and what waited is written when there is room', async () => {
    if (disk === null) return;
    onTestFinished(() => {
      vi.unstubAllEnvs();
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true });
    });
    vi.stubEnv('TMPDIR', disk);
    const fleet = await startSimulatedFleet({ speed: 100, replicas: 2 });
    const warden = await startTestWarden({ fleets: [fleet] });
    onTestFinished(async () => {
      await warden.close();
      await fleet.close();
    });
    const warnings = async () =>
      processStatus
        .parse(await (await fetch(`${warden.url}/api/status`)).json())
        .warnings.map(({ message }) => message);
    const turn = async (): Promise<number> => {
      const body = { model: TEST_MODEL, prompt: 'hi', max_tokens: 2 };
      const answer = await warden.post('/v1/completions', body);
      await answer.text();
      return answer.status;
    };
    expect(await turn()).toBe(200);
    await eventually(async () => expect(await warden.requests()).toHaveLength(1));

    const filler = join(disk, 'filler');
    const { bavail, bsize } = await statfs(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    let turns = 1;
    await eventually(async () => {
      expect(await turn()).toBe(200);
      turns += 1;
      expect((await warnings()).join()).toContain('the disk is full');
    }, 20_000);
    const change = await warden.patchRouting({ affinity: false });
    expect(change.status).toBe(503);
    expect((await warden.routing()).affinity).toBe(true);

    rmSync(filler);
    await eventually(async () => expect(await warnings()).toEqual([]), 20_000);
    await eventually(async () => expect(await warden.requests()).toHaveLength(turns));
    expect((await warden.patchRouting({ affinity: false })).status).toBe(200);
  });
});
