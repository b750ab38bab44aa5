import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseConfig } from '#lib/config/parse-config.ts';
import type { ModelConfig } from '#lib/config/schema.ts';
import { type ProcessSettings, readSettings, StartError } from '#server/settings.ts';
import { checkConsole } from './console-checks.ts';
import { findReplicas } from './discovery-checks.ts';
import { checkEngine, type Engine } from './engine-checks.ts';
import { bad, type Finding, ok, reasonOf } from './finding.ts';
import { checkHost } from './host-checks.ts';
import { checkShared } from './shared-checks.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type DoctorOptions = {
  readonly env: Environment;
  /** An LM Warden to look at from outside, as clients reach it; null where none is named. */
  readonly consoleUrl: string | null;
  /** Whether requests, for answers of one token, are sent to the engines. */
  readonly withRequests: boolean;
};

/** Looks at everything that LM Warden needs, in the order in which one would mend it. */
export async function examine({ env, consoleUrl, withRequests }: DoctorOptions): Promise<readonly Finding[]> {
  const settings = settingsOf(env);
  if (!('host' in settings)) return [settings];
  const { engines, findings } = await enginesOf(settings, env);
  const host = await checkHost(settings);
  const examined = await Promise.all(engines.map((engine) => checkEngine(engine, withRequests)));
  const shared = settings.shared === null ? [] : await checkShared(settings.shared);
  const through = consoleUrl === null ? [] : await checkConsole(consoleTarget(consoleUrl, env));
  return [...host, ...findings, ...examined.flat(), ...shared, ...through];
}

function settingsOf(env: Environment): ProcessSettings | Finding {
  try {
    return readSettings(env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return bad('settings', error.message, 'Mend the variable or the flag that it names.');
  }
}

const consoleTarget = (url: string, env: Environment) => ({
  url: url.replace(/\/(v1\/?)?$/, ''),
  apiKey: env.WARDEN_API_KEY ?? null,
});

type Engines = { readonly engines: readonly Engine[]; readonly findings: readonly Finding[] };

async function enginesOf({ source }: ProcessSettings, env: Environment): Promise<Engines> {
  if (source.kind === 'file') return configuredEngines(source.path, env);
  if (source.kind === 'upstream') {
    const apiKey = env.VLLM_API_KEY ?? null;
    return { engines: source.urls.map((url) => ({ url, apiKey, ranks: null, maxNumSeqs: null })), findings: [] };
  }
  const found = 'No engine is configured: LM Warden would run its simulated fleet.';
  return { engines: [], findings: [ok('configuration', `${found} Name yours with --upstream URL.`)] };
}

async function configuredEngines(path: string, env: Environment): Promise<Engines> {
  const file = resolve(path);
  const { models, findings } = readModels(file, env);
  const found = await Promise.all(models.map(async (model) => ({ model, ...(await findReplicas(model, env)) })));
  const engines = found.flatMap(({ model, urls }) => enginesOfModel(model, urls));
  return { engines, findings: [...findings, ...found.flatMap((one) => one.findings)] };
}

/** Each engine that is listed, and of those that were discovered each other one. */
function enginesOfModel(model: ModelConfig, discovered: readonly string[]): readonly Engine[] {
  const listed = model.replicas.map(({ url, ranks }) => ({ url, ranks: ranks === 'auto' ? null : ranks }));
  const more = discovered.filter((url) => !listed.some((one) => one.url === url)).map((url) => ({ url, ranks: null }));
  const { api_key: apiKey = null, max_num_seqs: maxNumSeqs = null } = model;
  return [...listed, ...more].map((engine) => ({ ...engine, apiKey, maxNumSeqs }));
}

type Models = { readonly models: readonly ModelConfig[]; readonly findings: readonly Finding[] };

function readModels(file: string, env: Environment): Models {
  if (!existsSync(file)) {
    return { models: [], findings: [bad('configuration', `There is no ${file}.`, 'Set WARDEN_CONFIG, or --config.')] };
  }
  try {
    const result = parseConfig(readFileSync(file, 'utf8'), env);
    if (result.ok) return { models: result.config.models, findings: [ok('configuration', `${file} is right.`)] };
    const problems = result.problems.map(
      ({ line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`,
    );
    return { models: [], findings: problems.map((found) => bad('configuration', found, 'Mend the file.')) };
  } catch (error) {
    return { models: [], findings: [bad('configuration', reasonOf(error), 'Make the file readable.')] };
  }
}

const MARKS = { ok: 'ok  ', warn: 'WARN', bad: 'BAD ', skipped: '-   ' } as const;

/** For a terminal: a line for each finding, and what to do below it. */
export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, found, fix }) => [
    `${MARKS[state]} ${check}: ${found}`,
    ...(fix === null ? [] : [`     → ${fix}`]),
  ]);
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const wrong = count('bad');
  const verdict = wrong === 0 ? 'Nothing is wrong' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong`;
  return `${lines.join('\n')}\n\n${verdict}; ${count('warn')} worth knowing.`;
}
