import pino from 'pino';
import type { DiscoverEntry, ModelConfig } from '#lib/config/schema.ts';
import { discover } from '#server/discovery/discover.ts';
import { bad, type Finding, ok, reasonOf } from './finding.ts';

/** Longer than a name server is waited for, both tries of it. */
const PATIENCE_MS = 10_000;

type Found = { readonly urls: readonly string[]; readonly trouble: string | null };
type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the replicas of a model as LM Warden would, once. */
export async function findReplicas(
  { name, discover: entry }: ModelConfig,
  env: Environment,
): Promise<{ readonly urls: readonly string[]; readonly findings: readonly Finding[] }> {
  if (entry === undefined) return { urls: [], findings: [] };
  const check = `discovery for ${name}`;
  const { urls, trouble } = await firstAnswer(entry, env);
  if (trouble === null) return { urls, findings: [ok(check, `It found ${urls.join(', ')}.`)] };
  return { urls, findings: [bad(check, `${trouble}.`, fixOf(entry))] };
}

function firstAnswer(entry: DiscoverEntry, env: Environment): Promise<Found> {
  return new Promise((resolve) => {
    let close = (): void => {};
    const end = (found: Found): void => {
      clearTimeout(deadline);
      resolve(found);
      // It may answer before it is known how to end it.
      setImmediate(() => close());
    };
    const deadline = setTimeout(
      () => end({ urls: [], trouble: `nothing was heard within ${PATIENCE_MS / 1000} s` }),
      PATIENCE_MS,
    );
    const events = {
      onReplicas: (urls: readonly string[]) => end({ urls, trouble: null }),
      onTrouble: (message: string | null) => {
        if (message !== null) end({ urls: [], trouble: message });
      },
      log: pino({ level: 'silent' }),
    };
    try {
      close = discover(entry, env, events).close;
    } catch (error) {
      end({ urls: [], trouble: reasonOf(error) });
    }
  });
}

function fixOf(entry: DiscoverEntry): string {
  if ('file' in entry) return 'Write a list of URLs there: `- http://host:8000`, one a line.';
  if ('kubernetes' in entry) {
    return 'See that the Service has ready endpoints, and that the service account may list endpointslices of discovery.k8s.io.';
  }
  return `See that the name is right and resolves on this machine (dig ${'srv' in entry ? `SRV ${entry.srv}` : entry.dns}).`;
}
