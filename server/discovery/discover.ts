import type { DiscoverEntry } from '#lib/config/schema.ts';
import type { Discovery, DiscoveryEvents } from './discovery.ts';
import { discoverByDns } from './dns-discovery.ts';
import { discoverByFile } from './file-discovery.ts';
import { discoverByKubernetes, podAccess } from './kubernetes-discovery.ts';

/** Begins to look where an entry of the configuration says. Throws where that cannot be done at all. */
export function discover(
  entry: DiscoverEntry,
  env: Readonly<Record<string, string | undefined>>,
  events: DiscoveryEvents,
): Discovery {
  if ('file' in entry) return discoverByFile(entry.file, events);
  const { scheme } = entry;
  if ('kubernetes' in entry) {
    const { service, namespace = null, port = null } = entry.kubernetes;
    return discoverByKubernetes({ service, namespace, port, scheme }, podAccess(env), events);
  }
  const common = { scheme, refreshSeconds: entry.refresh_seconds, servers: entry.name_servers ?? null };
  if ('srv' in entry) return discoverByDns({ ...common, kind: 'srv', name: entry.srv, port: 0 }, events);
  return discoverByDns({ ...common, kind: 'address', name: entry.dns, port: entry.port }, events);
}
