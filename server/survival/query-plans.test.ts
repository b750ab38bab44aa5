import { beforeAll, describe, expect, it } from 'vitest';
import { RANGE_NAMES } from '#lib/series/range.ts';
import { createDatabase } from '#server/store/database.ts';
import { MIGRATIONS_DIR, requestRow } from '#server/store/fixtures-for-tests.ts';
import { openConnection } from '#server/store/open.ts';
import { DEFAULT_RETENTION } from '#server/store/retention.ts';

const NOW = 1_800_000_000_000;
/** Tables that grow with traffic or with time; reading one from end to end is what must not happen. */
const LARGE =
  'request|replica_sample|usage_1m|usage_1h|latency_1m|latency_15m|latency_1h|sample_1m|sample_1h|event|home|audit\\w*|ending_\\w+';

/** Every statement that the database prepared while it was asked all that it can be asked. */
let statements: readonly string[];
let planOf: (sql: string) => string;

beforeAll(() => {
  const connection = openConnection(':memory:', MIGRATIONS_DIR);
  const { sqlite } = connection;
  const seen = new Set<string>();
  const prepare = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, {
    prepare: (sql: string) => {
      seen.add(sql);
      return prepare(sql);
    },
  });
  const database = createDatabase(connection, DEFAULT_RETENTION);
  const rows = Array.from({ length: 50 }, (_, index) => requestRow({ id: `r${index}`, finishedAt: NOW - index }));
  database.writeBatch({ id: 'first', requests: rows, samples: [], events: [], memories: new Map() });
  const model = rows[0]?.model ?? '';
  for (const of of [null, model]) {
    for (const range of RANGE_NAMES) {
      database.tokenSeries(of, range, NOW);
      database.latencySeries(of, range, NOW);
    }
    database.hitShare(of, 3600, NOW);
    database.requests(of, 100);
    database.events(of, 100);
  }
  for (const range of RANGE_NAMES) database.replicaSeries(model, range, NOW);
  database.routerMemory(model);
  while (database.retain(NOW));
  statements = [...seen];
  planOf = (sql) =>
    prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replace(/[@:$]\w+|\?/g, 'NULL')}`)
      .all()
      .map(({ detail }) => detail)
      .join('\n');
});

describe('with a million requests', () => {
  it('no read and no clean-up goes through a large table from end to end', () => {
    const reads = statements.filter((sql) => /^\s*(WITH|SELECT|DELETE)/i.test(sql));
    expect(reads.length).toBeGreaterThan(20);
    const slow = reads.flatMap((sql) => {
      // An index read in order is as good as a search where the number of rows is limited.
      const isLimited = /\blimit\b/i.test(sql);
      const scan = isLimited ? `SCAN (${LARGE})$` : `SCAN (${LARGE})( USING .*)?$`;
      const found = planOf(sql).match(new RegExp(scan, 'm'));
      return found === null ? [] : [{ scan: found[0], sql }];
    });
    expect(slow).toEqual([]);
  });

  it('the newest requests are read from an index, not sorted', () => {
    const newest = statements.filter((sql) => /from "?request"?/i.test(sql) && /order by/i.test(sql));
    expect(newest.length).toBeGreaterThan(0);
    for (const sql of newest) expect(planOf(sql), sql).not.toContain('USE TEMP B-TREE FOR ORDER BY');
  });
});
