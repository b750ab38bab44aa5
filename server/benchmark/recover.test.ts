import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { temporaryStore } from '#server/store/fixtures-for-tests.ts';
import { recoverBenchmarks } from './recover.ts';

const log = pino({ level: 'silent' });
const NOW = 1_800_000_000_000;

describe('a benchmark that no process ended', () => {
  it.each([null, true, false])(
    'gives the model its setting back, %s, and leaves its threshold alone',
    async (before) => {
      const store = await temporaryStore();
      const run = {
        model: 'qwen',
        startedAt: NOW - 60_000,
        affinityBefore: before,
        cacheFitBefore: before,
        planJson: '{}',
      };
      const id = await store.addBenchmark(run);
      await store.saveSetting('qwen', {
        affinity: before !== true,
        spillThreshold: 5,
        cacheFit: before !== true,
        yieldAfterMs: 20_000,
      });
      await recoverBenchmarks(store, () => NOW, log);
      expect((await store.settings()).get('qwen')).toEqual({
        affinity: before,
        spillThreshold: 5,
        cacheFit: before,
        yieldAfterMs: 20_000,
      });
      expect(await store.benchmark(id)).toMatchObject({ status: 'interrupted', finishedAt: NOW, reportJson: null });
      expect(await store.unfinishedBenchmarks()).toEqual([]);
      const all = { actor: null, action: null, text: null, sinceMs: null, beforeSeq: null, limit: 10 };
      expect((await store.auditEntries(all)).entries).toMatchObject([
        { actor: 'benchmark', role: 'system', action: 'routing.change', subject: 'qwen' },
      ]);
    },
  );

  it('does not touch the setting of one that ended', async () => {
    const store = await temporaryStore();
    const run = { model: 'qwen', startedAt: NOW, affinityBefore: true, cacheFitBefore: null, planJson: '{}' };
    const id = await store.addBenchmark(run);
    await store.endBenchmark(id, { finishedAt: NOW, status: 'finished', reportJson: '{"rows":[]}', error: null });
    await store.saveSetting('qwen', { affinity: false, spillThreshold: null, cacheFit: null, yieldAfterMs: null });
    await recoverBenchmarks(store, () => NOW, log);
    expect((await store.settings()).get('qwen')).toEqual({
      affinity: false,
      spillThreshold: null,
      cacheFit: null,
      yieldAfterMs: null,
    });
    expect(await store.benchmarks(10)).toMatchObject([{ id, status: 'finished', reportJson: '[]' }]);
  });
});
