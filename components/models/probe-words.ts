import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { ProbedEngine, ProbeProblem, ProbeWarning } from '#lib/contract/managed-models.ts';

/** What a probe found, in the reader's language. What an engine or the network said stays as it was said. */
export function useProbeWords() {
  const t = useTranslations('models.editor');
  const { compact, exact } = useFormat();
  return {
    engine(engine: ProbedEngine): string {
      const { version, simulated, ranks, kv_capacity_tokens: cache } = engine;
      const context = engine.models[0]?.max_model_len ?? null;
      return [
        version === null ? t('versionUnknown') : t('version', { version }),
        ...(simulated ? [t('simulated')] : []),
        ...(ranks === null ? [] : [t('ranks', { ranks })]),
        ...(cache === null ? [] : [t('cache', { tokens: compact(cache) })]),
        ...(context === null ? [] : [t('context', { tokens: compact(context) })]),
      ].join(' · ');
    },
    problem({ code, status, message, said }: ProbeProblem): readonly string[] {
      const what = code === 'bad_status' ? t('probe.bad_status', { status: exact(status ?? 0) }) : t(`probe.${code}`);
      if (code === 'unreachable') return [what, message];
      return said === null ? [what] : [what, t('said', { said })];
    },
    warning(warning: ProbeWarning): string {
      switch (warning.code) {
        case 'url_twice':
        case 'prefix_caching_off':
        case 'capacity_unknown':
          return t(`warning.${warning.code}`, { url: warning.url });
        case 'url_taken':
          return t('warning.url_taken', { url: warning.url, model: warning.model });
        case 'models_differ':
          return t('warning.models_differ', { models: warning.models.join(', ') });
        case 'versions_differ':
          return t('warning.versions_differ', { versions: warning.versions.join(', ') });
        case 'capacities_differ':
        case 'context_differs':
          return t(`warning.${warning.code}`, {
            least: compact(warning.least_tokens),
            most: compact(warning.most_tokens),
          });
        case 'no_metrics':
          return t('warning.no_metrics', { url: warning.url, why: warning.why });
        case 'max_num_seqs_unknown':
        case 'one_replica':
          return t(`warning.${warning.code}`);
      }
    },
  };
}
