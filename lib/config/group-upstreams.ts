import { type ModelConfig, modelWithDefaults } from './schema.ts';

/** What one URL of `WARDEN_UPSTREAM` serves, its primary name first; null until it has answered. */
export type DiscoveredUpstream = { readonly url: string; readonly models: readonly string[] | null };

/** Claude Code asks for Claude names unless told otherwise: where there is only one model, that is what it means. */
const SINGLE_MODEL_ALIASES = ['claude-*'];

/**
 * Groups the URLs of `WARDEN_UPSTREAM` into models, replicas in the order of the list. A URL that has not answered is
 * taken for a replica of the one model that the others serve, so that places in the list keep their numbers; where
 * they serve several, or none has answered, it waits.
 */
export function groupUpstreams(upstreams: readonly DiscoveredUpstream[]): readonly ModelConfig[] {
  const names = [...new Set(upstreams.flatMap((upstream) => upstream.models?.[0] ?? []))];
  const [only] = names;
  return names.map((name) => {
    const members = upstreams.filter(
      (upstream) => upstream.models?.[0] === name || (upstream.models === null && names.length === 1 && name === only),
    );
    const others = new Set(members.flatMap((member) => member.models?.slice(1) ?? []));
    return modelWithDefaults({
      name,
      aliases: [...others, ...(names.length === 1 ? SINGLE_MODEL_ALIASES : [])],
      replicas: members.map((member) => ({ url: member.url })),
    });
  });
}
