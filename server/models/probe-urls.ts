import { probeSummary } from '#lib/config/probe-summary.ts';
import type { ProbedUrl, ProbeRequest, ProbeResult } from '#lib/contract/managed-models.ts';
import { generateToken } from '#server/engines/generate-token.ts';
import { probeEngine } from '#server/engines/probe-engine.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { resolveUrl } from './resolve-url.ts';

type Surroundings = {
  readonly allowedHosts: readonly string[];
  /** The model that is being changed; null for a new one. */
  readonly kept: ManagedEntry | null;
  readonly takenNames: ReadonlySet<string>;
  readonly takenUrls: ReadonlyMap<string, string>;
  readonly now: () => number;
};

/** However slow the engines are, a person waits no longer. */
const PATIENCE_MS = 40_000;

/** Asks all addresses at once what they are, and sums up what a model of them would be. */
export async function probeUrls(request: ProbeRequest, around: Surroundings): Promise<ProbeResult> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const urls = await Promise.all(request.urls.map((text) => probeUrl(text, request, around, signal)));
  return { urls, ...probeSummary(urls, around) };
}

async function probeUrl(
  text: string,
  request: ProbeRequest,
  { allowedHosts, kept, now }: Surroundings,
  signal: AbortSignal,
): Promise<ProbedUrl> {
  const { url, problem } = await resolveUrl(text, allowedHosts);
  if (problem !== null) return { url, problem, engine: null, generated: null };
  const apiKey = request.api_key === undefined ? keptKey(kept, url) : request.api_key;
  const probe = await probeEngine({ url, apiKey, allowedHosts: () => allowedHosts }, signal);
  const model = request.served_model_name ?? probe.engine?.models[0]?.id;
  const generated =
    request.generate && probe.engine !== null && model !== undefined
      ? await generateToken({ url, apiKey, model, allowedHosts: () => allowedHosts }, now)
      : null;
  return { url, ...probe, generated };
}

/** The kept key is for the hosts that it was given for. */
function keptKey(kept: ManagedEntry | null, url: string): string | null {
  const isKnownHost = kept?.kept.urls.some((own) => new URL(own).origin === new URL(url).origin) ?? false;
  return isKnownHost ? (kept?.apiKey ?? null) : null;
}
