import { desc, eq, sql } from 'drizzle-orm';
import { benchmark, model as modelTable } from '#drizzle/schema.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { BenchmarkEnd, BenchmarkRow, NewBenchmark } from './store.ts';

export type BenchmarkRuns = {
  /** On the disk when it returns: the setting that a run changes is restored from it after a crash. */
  add(run: NewBenchmark): number;
  end(id: number, end: BenchmarkEnd): void;
  remove(id: number): void;
  /** Newest first. `reportJson` is the `rows` of the report alone: whole reports are large. */
  newest(limit: number): readonly BenchmarkRow[];
  one(id: number): BenchmarkRow | null;
  /** Runs that have not ended, of a process that did not get to end them. */
  unfinished(): readonly BenchmarkRow[];
};

const COLUMNS = {
  id: benchmark.id,
  model: modelTable.name,
  startedAt: benchmark.startedMs,
  finishedAt: benchmark.finishedMs,
  status: benchmark.status,
  affinityBefore: benchmark.affinityBefore,
  cacheFitBefore: benchmark.cacheFitBefore,
  planJson: benchmark.plan,
  reportJson: benchmark.report,
  error: benchmark.error,
};

export function createBenchmarkRuns({ sqlite, orm }: Connection, models: ModelIds): BenchmarkRuns {
  const select = (columns: typeof COLUMNS) =>
    orm.select(columns).from(benchmark).innerJoin(modelTable, eq(modelTable.id, benchmark.modelId));

  return {
    add({ model, startedAt, affinityBefore, cacheFitBefore, planJson }) {
      // In WAL mode, NORMAL may lose the last commits with the power, and with them what to restore.
      sqlite.pragma('synchronous = FULL');
      try {
        return orm.transaction(() => {
          const values = {
            modelId: models.idOf(model),
            startedMs: Math.round(startedAt),
            affinityBefore,
            cacheFitBefore,
            plan: planJson,
          };
          return orm
            .insert(benchmark)
            .values({ ...values, status: 'running' })
            .returning({ id: benchmark.id })
            .get().id;
        });
      } catch (error) {
        models.forget();
        throw error;
      } finally {
        sqlite.pragma('synchronous = NORMAL');
      }
    },
    end(id, { finishedAt, status, reportJson, error }) {
      orm
        .update(benchmark)
        .set({ finishedMs: Math.round(finishedAt), status, report: reportJson, error })
        .where(eq(benchmark.id, id))
        .run();
    },
    remove(id) {
      orm.delete(benchmark).where(eq(benchmark.id, id)).run();
    },
    newest(limit) {
      const rowsOnly = sql<string | null>`json_extract(${benchmark.report}, '$.rows')`.as('rows');
      return orm
        .select({ ...COLUMNS, reportJson: rowsOnly })
        .from(benchmark)
        .innerJoin(modelTable, eq(modelTable.id, benchmark.modelId))
        .orderBy(desc(benchmark.id))
        .limit(limit)
        .all();
    },
    one: (id) => select(COLUMNS).where(eq(benchmark.id, id)).get() ?? null,
    unfinished: () => select(COLUMNS).where(eq(benchmark.status, 'running')).orderBy(desc(benchmark.id)).all(),
  };
}
