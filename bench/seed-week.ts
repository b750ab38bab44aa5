import { join } from 'node:path';
import Database from 'better-sqlite3';

const HOUR_S = 3600;
const LATENCY_BUCKETS = 30;
const METRICS = 2;

/** Fills the hourly tables of the last seven days for a model that the database knows, as a busy week would. */
export function seedWeek(dataDir: string, model: string): void {
  const database = new Database(join(dataDir, 'warden.db'));
  const found = database.prepare('SELECT id FROM model WHERE name = ?').pluck().get(model);
  const usage = database.prepare(
    'INSERT OR REPLACE INTO usage_1h VALUES (?, ?, 3000, 3000, 20000000, 5000000, 600000, 25000000)',
  );
  const latency = database.prepare('INSERT OR REPLACE INTO latency_1h VALUES (?, ?, ?, ?, 100, 50000)');
  const thisHour = BigInt(Math.floor(Date.now() / 1000 / HOUR_S) * HOUR_S);
  database.transaction(() => {
    for (let hour = 1n; hour <= 168n; hour += 1n) {
      const start = thisHour - hour * BigInt(HOUR_S);
      usage.run(found, start);
      for (let metric = 0; metric < METRICS; metric += 1) {
        for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket += 1)
          latency.run(found, start, BigInt(metric), BigInt(bucket));
      }
    }
  })();
  database.close();
}
