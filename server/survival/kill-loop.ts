import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { stringify } from 'yaml';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { TEST_MODEL } from '#server/warden-for-tests.ts';
import { startToKill } from './killed-warden.ts';
import { measureLateness } from './lateness.ts';
import { type LoadReport, startLoad } from './load.ts';

export type KillReport = Omit<LoadReport, 'answered' | 'killedAt'> & {
  readonly kills: number;
  /** Of them while it was still starting. */
  readonly killsAtStart: number;
  readonly integrity: string;
  /** Rows in the database that point at nothing. */
  readonly danglingRows: number;
  readonly rows: number;
  /** Requests answered whole longer before the kill that followed than may be lost, and not in the database. */
  readonly lostRows: number;
  /** All answered requests that are not in the database, of those answered. */
  readonly missingRows: number;
  /** How long before its kill the oldest of them was answered. */
  readonly oldestLostMs: number;
  /** How much of that was the machine's: the longest that it let this very loop wait. */
  readonly latestMs: number;
  readonly answeredRequests: number;
};

/**
 * What is promised: the store writes every second (homes reach it within a tenth more), and then in one transaction,
 * for which half a second is much. What a busy machine adds is measured while it runs, not assumed.
 */
const SAVED_EVERY_MS = 1_000;
const WRITING_MS = 500;
const SESSIONS = 12;
const KILL_WHILE_STARTING = 0.15;

/** Kills a warden under load again and again with `kill -9`, and reads what is left. */
export async function runKillLoop(times: number): Promise<KillReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-kill-'));
  const fleet = await startSimulatedFleet({ speed: 200 });
  const config = { models: [{ name: TEST_MODEL, max_num_seqs: 32, replicas: [{ url: fleet.url }] }] };
  writeFileSync(join(dataDir, 'warden.yaml'), stringify(config));
  const lateness = measureLateness();
  const mayBeLost = (killedAt: number): number => SAVED_EVERY_MS + WRITING_MS + lateness.before(killedAt);
  const load = startLoad(SESSIONS, mayBeLost);
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
        await pause((kill === 0 ? 4000 : 300) + 4700 * Math.random());
        load.reach(null);
      }
      await warden.kill();
    }
    const last = await startToKill(dataDir);
    load.reach(await last.url);
    // Every conversation gets a turn that tells where it lives now.
    await pause(8000);
    const report = await load.stop();
    load.reach(null);
    await last.kill();
    return {
      kills: times,
      killsAtStart,
      ...summary(report),
      ...readBack(dataDir, report, mayBeLost),
      latestMs: lateness.most(),
    };
  } finally {
    await load.stop();
    lateness.stop();
    await fleet.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function summary({ answered, killedAt: _times, ...counts }: LoadReport) {
  return { answeredRequests: answered.size, ...counts };
}

function readBack(dataDir: string, { answered, killedAt }: LoadReport, mayBeLost: (killedAt: number) => number) {
  const sqlite = new Sqlite(join(dataDir, 'warden.db'));
  try {
    const ids = new Set(sqlite.prepare<[], string>('SELECT id FROM request').pluck().all());
    const missing = [...answered].filter(([id]) => !ids.has(id));
    const lost = missing.map(([, { at, run }]) => ({ killed: killedAt[run] ?? at, at }));
    const ages = lost.map(({ killed, at }) => Math.max(0, killed - at));
    return {
      integrity: String(sqlite.pragma('integrity_check', { simple: true })),
      danglingRows: sqlite.prepare('PRAGMA foreign_key_check').all().length,
      rows: ids.size,
      missingRows: missing.length,
      lostRows: lost.filter(({ killed, at }) => killed - at > mayBeLost(killed)).length,
      oldestLostMs: Math.max(0, ...ages),
    };
  } finally {
    sqlite.close();
  }
}
