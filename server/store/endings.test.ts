import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RANGE_NAMES } from '#lib/series/range.ts';
import { customSpan, spanBefore, spanOf } from '#lib/series/span.ts';
import { createDatabase } from './database.ts';
import {
  MIGRATIONS_DIR,
  memoryDatabase,
  requestRow,
  temporaryDatabase,
  temporaryFolder,
  write,
} from './fixtures-for-tests.ts';
import { openConnection } from './open.ts';
import { DEFAULT_RETENTION } from './retention.ts';
import type { EndingBucket, RequestRow } from './store.ts';

const NOW = Date.parse('2027-03-04T05:06:07.890Z');
const DAY_MS = 86_400_000;

describe('the series of decisions and endings', () => {
  it('counts every request once in every range, by its decision, its ending and its status', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyRequest(), { maxLength: 12 }), { maxLength: 5 }), (batches) => {
        const database = memoryDatabase();
        for (const requests of batches) write(database, { requests });
        const sent = batches.flat();
        for (const name of RANGE_NAMES) {
          const { from, to } = spanOf(name, NOW);
          const within = sent.filter(({ finishedAt }) => finishedAt >= from * 1000 && finishedAt < to * 1000);
          expect(totals(database.endingSeries(null, name, NOW))).toEqual(countsOf(within));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('covers a stretch of time of one’s own, and the period before it', () => {
    const { database } = temporaryDatabase();
    const ages = [1, 2, 3, 5].map((hours) => hours * 3_600_000);
    write(database, { requests: ages.map((age) => requestRow({ finishedAt: NOW - age, decision: 'placed' })) });
    const now = NOW / 1000;
    const span = customSpan(now - 3.5 * 3600, now - 0.5 * 3600, now, { raw: 172_800, minutes: 1_209_600 });
    expect(totals(database.endingSeries('qwen', span, NOW))).toEqual({ 'placed ok 200': 3 });
    expect(totals(database.endingSeries('qwen', spanBefore(span), NOW))).toEqual({ 'placed ok 200': 1 });
    expect(database.endingSeries('never seen', span, NOW).flatMap(({ counts }) => counts)).toEqual([]);
  });

  it('has the requests of before it was counted, where the database is an older one', () => {
    const file = join(temporaryFolder(), 'warden.db');
    const older = openConnection(file, migrationsBefore('endings'));
    older.sqlite.exec(`INSERT INTO model (id, name) VALUES (1, 'qwen');
      INSERT INTO request (id, model_id, started_ms, finished_ms, path, decision, reason, status, outcome)
      VALUES ('a', 1, ${NOW - 5}, ${NOW}, '/v1/messages', 'spilled', '', 502, 'upstream_failed')`);
    older.sqlite.close();
    const upgraded = openConnection(file, MIGRATIONS_DIR);
    onTestFinished(() => void upgraded.sqlite.close());
    const database = createDatabase(upgraded, DEFAULT_RETENTION);
    for (const name of ['1h', '7d'] as const) {
      expect(totals(database.endingSeries('qwen', name, NOW))).toEqual({ 'spilled upstream_failed 502': 1 });
    }
  });
});

/** The migrations as they were before the one of that name. */
function migrationsBefore(name: string): string {
  const folder = temporaryFolder();
  cpSync(MIGRATIONS_DIR, folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const index = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`));
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, index) }));
  return folder;
}

function anyRequest(): fc.Arbitrary<RequestRow> {
  const age = fc.oneof(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 0, max: 40 * DAY_MS }));
  const ending = fc.constantFrom(
    { decision: 'sticky', outcome: 'ok', status: 200 } as const,
    { decision: 'sticky', outcome: 'client_left', status: 499 } as const,
    { decision: 'placed', outcome: 'ok', status: 400 } as const,
    { decision: 'failed_over', outcome: 'upstream_failed', status: 502 } as const,
  );
  return fc
    .record({ age, ending, model: fc.constantFrom('qwen', 'llama') })
    .map((drawn) => requestRow({ model: drawn.model, finishedAt: NOW - drawn.age, ...drawn.ending }));
}

function countsOf(rows: readonly RequestRow[]): Record<string, number> {
  return sums(rows.map((row) => ({ ...row, requests: 1 })));
}

function totals(series: readonly EndingBucket[]): Record<string, number> {
  return sums(series.flatMap(({ counts }) => counts));
}

type Count = Pick<RequestRow, 'decision' | 'outcome' | 'status'> & { readonly requests: number };

function sums(counts: readonly Count[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { decision, outcome, status, requests } of counts) {
    const key = `${decision} ${outcome} ${status}`;
    sum[key] = (sum[key] ?? 0) + requests;
  }
  return sum;
}
