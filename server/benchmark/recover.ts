import type { Logger } from 'pino';
import { NO_SETTING } from '#server/router/policy.ts';
import { settingChangeEntry } from '#server/router/setting-change.ts';
import type { Store } from '#server/store/store.ts';

/**
 * Before the models are made: a benchmark that a process did not get to end has left the settings as its last step
 * wanted them. Puts back what was there before, and marks the run as interrupted.
 */
export async function recoverBenchmarks(store: Store, now: () => number, log: Logger): Promise<void> {
  for (const run of await store.unfinishedBenchmarks()) {
    const setting = (await store.settings()).get(run.model) ?? NO_SETTING;
    const restored = { ...setting, affinity: run.affinityBefore, cacheFit: run.cacheFitBefore };
    await store.saveSetting(run.model, restored);
    const change = { model: run.model, before: setting, after: restored, actor: 'benchmark' };
    const entry = settingChangeEntry(change, now());
    if (entry !== null) await store.addAudit(entry);
    const error = 'LM Warden ended while it ran; its settings were put back at the next start.';
    await store.endBenchmark(run.id, { finishedAt: now(), status: 'interrupted', reportJson: null, error });
    log.warn({ model: run.model, benchmark: run.id }, 'a benchmark was interrupted; its model has its setting back');
  }
}
