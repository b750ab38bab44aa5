import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { stringify } from 'yaml';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { TEST_MODEL } from '#server/warden-for-tests.ts';
import { startToKill } from './killed-warden.ts';
import { type LoadReport, startLoad } from './load.ts';

export type KillReport = Omit<LoadReport, 'answered' | 'killedAt'> & {
  readonly kills: number;
  /** Of them while it was still starting. */
  readonly killsAtStart: number;
  readonly integrity: string;
  /** Rows in the database that point at nothing. */
  readonly danglingRows: number;
  readonly rows: number;
  /** Requests answered whole more than `SETTLED_MS` before the kill that followed, and not in the database. */
  readonly lostRows: number;
  /** All answered requests that are not in the database, of those answered. */
  readonly missingRows: number;
  /** How long before its kill the oldest of them was answered. */
  readonly oldestLostMs: number;
  readonly answeredRequests: number;
};

/** Saved every second; on a machine with more to do than it can, a write takes seconds. What is older must be there. */
const SETTLED_MS = 4_000;
const SESSIONS = 12;
const KILL_WHILE_STARTING = 0.15;

/** Kills a warden under load again and again with `kill -9`, and reads what is left. */
export async function runKillLoop(times: number): Promise<KillReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-kill-'));
  const fleet = await startSimulatedFleet({ speed: 200 });
  const config = { models: [{ name: TEST_MODEL, max_num_seqs: 32, replicas: [{ url: fleet.url }] }] };
  writeFileSync(join(dataDir, 'warden.yaml'), stringify(config));
  const load = startLoad(SESSIONS, SETTLED_MS);
  let killsAtStart = 0;
  try {
    for (let kill = 0; kill < times; kill += 1) {
      const isEarly = kill > 0 && Math.random() < KILL_WHILE_STARTING;
      const warden = await startToKill(dataDir);
      if (isEarly) {
        await pause(700 * Math.random());
        killsAtStart += 1;
      } else {
        load.reach(await warden.url);
        // The first run lasts long enough that there is something to lose.
        await pause((kill === 0 ? SETTLED_MS + 1500 : 300) + 4700 * Math.random());
        load.reach(null);
      }
      await warden.kill();
    }
    const last = await startToKill(dataDir);
    load.reach(await last.url);
    // Every conversation gets a turn that tells where it lives now.
    await pause(2 * SETTLED_MS);
    const report = await load.stop();
    load.reach(null);
    await last.kill();
    return { kills: times, killsAtStart, ...summary(report), ...readBack(dataDir, report) };
  } finally {
    await load.stop();
    await fleet.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function summary({ answered, killedAt: _times, ...counts }: LoadReport) {
  return { answeredRequests: answered.size, ...counts };
}

function readBack(dataDir: string, { answered, killedAt }: LoadReport) {
  const sqlite = new Sqlite(join(dataDir, 'warden.db'));
  try {
    const ids = new Set(sqlite.prepare<[], string>('SELECT id FROM request').pluck().all());
    const missing = [...answered].filter(([id]) => !ids.has(id));
    const ages = missing.map(([, { at, run }]) => Math.max(0, (killedAt[run] ?? at) - at));
    return {
      integrity: String(sqlite.pragma('integrity_check', { simple: true })),
      danglingRows: sqlite.prepare('PRAGMA foreign_key_check').all().length,
      rows: ids.size,
      missingRows: missing.length,
      lostRows: ages.filter((age) => age > SETTLED_MS).length,
      oldestLostMs: Math.max(0, ...ages),
    };
  } finally {
    sqlite.close();
  }
}
