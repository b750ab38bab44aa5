import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { Advice } from '#lib/contract/advice.ts';

/** A piece of advice in the reader's language: what it is about, the numbers that say so, and what to do. */
export type AdviceWords = { readonly title: string; readonly seen: readonly string[]; readonly what: string };

/** Says advice. The cases are the codes of lib/contract/advice.ts. */
export function useAdviceWords(): (advice: Advice) => AdviceWords {
  const t = useTranslations('model.advice');
  const { percent: share, exact, compact } = useFormat();
  const percent = (value: number) => share(value, 0);
  const client = (name: string | null) => (name === null ? [] : [t('client', { client: name })]);
  return (advice) => {
    switch (advice.code) {
      case 'prefix_spoiled': {
        const { sticky_percent, cache_used_percent, hit_percent } = advice;
        const shares = {
          sticky: percent(sticky_percent),
          used: percent(cache_used_percent),
          hit: percent(hit_percent),
        };
        const seen = [t('prefixSpoiled.seen', shares), ...client(advice.client)];
        return { title: t('prefixSpoiled.title'), seen, what: t('prefixSpoiled.do') };
      }
      case 'keys_change': {
        const counts = { placed: exact(advice.placed), requests: exact(advice.requests) };
        const source = advice.source === null ? [] : [t('keysChange.source', { source: advice.source })];
        const seen = [t('keysChange.seen', counts), ...source, ...client(advice.client)];
        return { title: t('keysChange.title'), seen, what: t('keysChange.do') };
      }
      case 'too_many_conversations': {
        const { conversations, fitting } = advice;
        const shares = { conversations, used: percent(advice.cache_used_percent), hit: percent(advice.hit_percent) };
        const fit = fitting === null ? [] : [t('tooMany.fitting', { fitting: exact(fitting) })];
        const what = t(advice.cache_fit ? 'tooMany.isOn' : 'tooMany.turnOn');
        return { title: t('tooMany.title'), seen: [t('tooMany.seen', shares), ...fit], what };
      }
      case 'replica_pegged': {
        const seen = t('pegged.seen', {
          replica: String(advice.replica),
          waiting: exact(advice.waiting),
          idle: String(advice.idle_replica),
          running: exact(advice.idle_running),
        });
        const thresholds = { threshold: exact(advice.spill_threshold), suggested: exact(advice.suggested) };
        return { title: t('pegged.title'), seen: [seen], what: t('pegged.do', thresholds) };
      }
      case 'spills_often': {
        const seen = t('spills.seen', {
          spilled: exact(advice.spilled),
          turns: exact(advice.turns),
          percent: percent(advice.spilled_percent),
          calm: exact(advice.calm_replicas),
          replicas: exact(advice.replicas),
        });
        const thresholds = { threshold: exact(advice.spill_threshold), suggested: exact(advice.suggested) };
        return { title: t('spills.title'), seen: [seen], what: t('spills.do', thresholds) };
      }
      case 'overloaded': {
        const seen = t('overloaded.seen', {
          percent: percent(advice.spilled_percent),
          replicas: exact(advice.replicas),
          waiting: exact(advice.waiting),
        });
        const what = t(advice.cache_fit ? 'overloaded.isOn' : 'overloaded.turnOn');
        return { title: t('overloaded.title'), seen: [seen], what };
      }
      case 'prefix_caching_off': {
        const { replicas } = advice;
        return { title: t('cachingOff.title'), seen: [t('cachingOff.seen', { replicas })], what: t('cachingOff.do') };
      }
      case 'cached_not_reported': {
        const counts = { percent: percent(advice.measured_percent), requests: exact(advice.requests) };
        const seen = [t('cachedNotReported.seen', counts)];
        return { title: t('cachedNotReported.title'), seen, what: t('cachedNotReported.do') };
      }
      case 'versions_differ': {
        const seen = [t('versionsDiffer.seen', { versions: advice.versions.join(', ') })];
        return { title: t('versionsDiffer.title'), seen, what: t('versionsDiffer.do') };
      }
      case 'capacities_differ': {
        const sizes = { least: compact(advice.least_tokens), most: compact(advice.most_tokens) };
        const seen = [t('capacitiesDiffer.seen', sizes)];
        return { title: t('capacitiesDiffer.title'), seen, what: t('capacitiesDiffer.do') };
      }
      case 'capacity_unknown': {
        const seen = [t('capacityUnknown.seen', { replicas: advice.replicas })];
        return { title: t('capacityUnknown.title'), seen, what: t('capacityUnknown.do') };
      }
      case 'affinity_off': {
        const { turns } = advice;
        return { title: t('affinityOff.title'), seen: [t('affinityOff.seen', { turns })], what: t('affinityOff.do') };
      }
      case 'no_session_key': {
        const counts = {
          without: exact(advice.without),
          requests: exact(advice.requests),
          percent: percent(advice.without_percent),
        };
        const most =
          advice.client === null
            ? []
            : [t('noSessionKey.most', { count: exact(advice.client_requests), client: advice.client })];
        const seen = [t('noSessionKey.seen', counts), ...most];
        return { title: t('noSessionKey.title'), seen, what: t('noSessionKey.do') };
      }
    }
  };
}
