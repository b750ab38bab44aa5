import type { ModelOrigin } from '#lib/contract/models.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { resolveUrl } from './resolve-url.ts';

/* What a new or changed model is refused for, each with the field at fault. */

/** The URLs as they are kept; none may be refused, or there twice. */
export async function keptUrls(urls: readonly string[], allowed: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.all(urls.map((url) => resolveUrl(url, allowed)));
  for (const { problem, url } of resolved) {
    if (problem !== null) throw new ProblemError(400, 'Invalid URL', `${url}: ${problem.message}`, 'urls');
  }
  const kept = resolved.map(({ url }) => url);
  const twice = kept.find((url, index) => kept.indexOf(url) !== index);
  if (twice !== undefined) throw new ProblemError(400, 'Invalid URL', `${twice} is listed twice.`, 'urls');
  return kept;
}

/** A name or an alias that another model answers to. */
export function refuseTaken(taken: ReadonlyMap<string, string>, name: string | null, aliases: readonly string[]): void {
  const refuse = (field: string, text: string): never => {
    throw new ProblemError(409, 'Name taken', `"${text}" is already taken by the model ${taken.get(text)}.`, field);
  };
  if (name !== null && taken.has(name)) refuse('name', name);
  const alias = aliases.find((one) => taken.has(one));
  if (alias !== undefined) refuse('aliases', alias);
}

/** A key that was entered for some hosts would otherwise go to whoever can change the URLs. */
export function refuseToSendKeyElsewhere(
  { apiKey, kept }: ManagedEntry,
  urls: readonly string[],
  given: string | null | undefined,
): void {
  if (apiKey === null || given !== undefined) return;
  const hosts = new Set(kept.urls.map((url) => new URL(url).origin));
  const added = urls.find((url) => !hosts.has(new URL(url).origin));
  if (added === undefined) return;
  const detail = `The API key was given for other hosts than ${added}. Give it again, or null for an engine without one.`;
  throw new ProblemError(400, 'API key needed', detail, 'api_key');
}

/** Models that the console cannot change, or that are not there. */
export function notOurs(registry: ModelRegistry, name: string, origin: ModelOrigin): ProblemError {
  if (registry.named(name) === null) return new ProblemError(404, 'No such model', `There is no model "${name}".`);
  const where = { file: 'in warden.yaml', environment: 'in WARDEN_UPSTREAM', simulated: 'by the product', console: '' };
  const detail = `${name} is defined ${where[origin]}: it can be changed there, and not in the console.`;
  return new ProblemError(409, 'Not a model of the console', detail);
}
