import { randomUUID } from 'node:crypto';
import { engineLacks, LACK_SENTENCES } from '#lib/engine/engine-lacks.ts';
import type { EngineReading } from '#lib/engine/types.ts';
import type { EngineFacts } from '#server/engines/adapter.ts';
import { createVllmAdapter } from '#server/engines/vllm.ts';
import { bad, type Finding, ok, reasonOf, skipped, warn } from './finding.ts';
import { authorization, type ProbeTarget, probe, usageOf } from './probe.ts';

export type Engine = ProbeTarget & {
  /** Ranks that the configuration names; null where they are to be found. */
  readonly ranks: number | null;
  readonly maxNumSeqs: number | null;
};

const RANK_HEADER = 'X-data-parallel-rank';
/** More than two blocks of the largest default block size (128 tokens on a CPU). */
const PROBE_WORDS = 400;
const CLOCK_SECONDS = 5;

/** Looks at one engine as LM Warden would use it. `withRequests`: sends a few requests for answers of one token. */
export async function checkEngine(engine: Engine, withRequests: boolean): Promise<readonly Finding[]> {
  const adapter = createVllmAdapter({ url: engine.url, apiKey: engine.apiKey });
  const { signal } = new AbortController();
  try {
    const reached = await checkReachable(engine, () => adapter.facts(signal));
    if (reached.facts === null) return [reached.finding];
    const clock = await checkClock(engine);
    const { reading, finding } = await checkMetrics(engine, reached.facts, () => adapter.reading(signal));
    const first = [reached.finding, versionFinding(engine, reached.facts), clock, ...finding];
    const model = reached.facts.models[0]?.id;
    if (!withRequests || model === undefined)
      return [...first, skipped(name(engine, 'requests'), 'No prompt was sent.')];
    return [...first, ...(await checkRequests(engine, model, ranksOf(engine, reading)))];
  } finally {
    await adapter.close();
  }
}

const name = ({ url }: ProbeTarget, check: string): string => `${check} of ${url}`;
const ranksOf = ({ ranks }: Engine, reading: EngineReading | null): number => ranks ?? reading?.ranks.length ?? 1;

async function checkReachable(engine: Engine, facts: () => Promise<EngineFacts>) {
  const check = name(engine, 'models');
  try {
    const found = await facts();
    const models = found.models.map(({ id, maxModelLen }) => `${id} (${maxModelLen ?? 'unknown'} tokens of context)`);
    if (models.length === 0) {
      return { facts: null, finding: bad(check, 'It serves no model.', 'Start vLLM with a model.') };
    }
    return { facts: found, finding: ok(check, `It serves ${models.join(', ')}.`) };
  } catch (error) {
    const fix = 'See that the engine runs, that the address is right from this machine, and that its key is given.';
    return { facts: null, finding: bad(check, reasonOf(error), fix) };
  }
}

function versionFinding(engine: Engine, { version, simulated }: EngineFacts): Finding {
  const check = name(engine, 'version');
  if (simulated) return ok(check, `vLLM ${version}, simulated: no GPU is involved.`);
  if (version === null) {
    return warn(check, 'It does not tell its version.', 'See whether it is vLLM: a gateway in between hides things.');
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 0 && minor < 12) {
    return bad(check, `vLLM ${version} ignores the rank header.`, 'Use vLLM 0.16 or later, or one URL per replica.');
  }
  if (major === 0 && minor < 16) {
    return warn(check, `vLLM ${version} does not count cached tokens per rank.`, 'Use vLLM 0.16 or later.');
  }
  return ok(check, `vLLM ${version}.`);
}

/** A wrong clock does not disturb routing, but the times of the two logs will not fit together. */
async function checkClock(engine: Engine): Promise<Finding> {
  const check = name(engine, 'clock');
  try {
    const before = Date.now();
    const answer = await fetch(`${engine.url}/v1/models`, {
      headers: authorization(engine.apiKey),
      signal: AbortSignal.timeout(5000),
    });
    await answer.body?.cancel();
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return skipped(check, 'It sends no Date header.');
    const seconds = Math.round((theirs - (before + Date.now()) / 2) / 1000);
    if (Math.abs(seconds) <= CLOCK_SECONDS) return ok(check, 'The clocks agree.');
    const found = `Its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}.`;
    return warn(check, found, 'Run chrony or systemd-timesyncd on both machines.');
  } catch (error) {
    return skipped(check, `It could not be asked: ${reasonOf(error)}`);
  }
}

async function checkMetrics(engine: Engine, facts: EngineFacts, read: () => Promise<EngineReading>) {
  const check = name(engine, 'metrics');
  try {
    const reading = await read();
    const known = { maxNumSeqs: engine.maxNumSeqs ?? facts.maxNumSeqs, version: facts.version };
    const missing = engineLacks(reading, known).map((lack) => {
      const sentence = LACK_SENTENCES[lack];
      const [found = sentence, fix = ''] = splitAfterFirst(sentence);
      return lack === 'caching_off' ? bad(check, found, fix) : warn(check, found, fix);
    });
    const { ranks } = reading;
    if (engine.ranks !== null && ranks.length > 0 && ranks.length !== engine.ranks) {
      const found = `The configuration says ${engine.ranks} ranks, its metrics have ${ranks.length}.`;
      missing.push(bad(check, found, 'Write `ranks: auto`, or the number it was started with.'));
    }
    if (ranks.length > 0) missing.unshift(ok(check, describeRanks(reading)));
    return { reading, finding: missing };
  } catch (error) {
    const fix = 'Let LM Warden reach /metrics; without it, it routes by its own counts alone.';
    return { reading: null, finding: [warn(check, reasonOf(error), fix)] };
  }
}

function describeRanks({ ranks, blockSize }: EngineReading): string {
  const capacity = ranks.map(({ kvCapacityTokens }) => kvCapacityTokens).filter((tokens) => tokens !== null);
  const size = capacity.length === 0 ? '' : `, ${Math.min(...capacity)} tokens of KV cache each`;
  const blocks = blockSize === null ? '' : `, blocks of ${blockSize}`;
  return `${ranks.length} ${ranks.length === 1 ? 'replica' : 'ranks'}${size}${blocks}.`;
}

function splitAfterFirst(sentences: string): readonly string[] {
  const at = sentences.search(/[.] [A-Z]/);
  return at < 0 ? [sentences, 'See docs/engine.md.'] : [sentences.slice(0, at + 1), sentences.slice(at + 2)];
}

/** Prompts of one token that tell whether the rank is honoured and the cache works. */
async function checkRequests(engine: Engine, model: string, ranks: number): Promise<readonly Finding[]> {
  try {
    return [await checkPinning(engine, model, ranks), await checkCache(engine, model, ranks)];
  } catch (error) {
    return [bad(name(engine, 'requests'), reasonOf(error), "Look at the engine's log: it does not answer a prompt.")];
  }
}

/** The engine refuses a rank that it does not have; one that takes it does not look at the header. */
async function checkPinning(engine: Engine, model: string, ranks: number): Promise<Finding> {
  const check = name(engine, 'pinning');
  if (ranks < 2) return skipped(check, 'One replica: there is nothing to pin.');
  const { status } = await probe(engine, model, 'hello', { [RANK_HEADER]: String(ranks) });
  if (status === 400) return ok(check, `The rank header is honoured (0 to ${ranks - 1}).`);
  if (status !== 200) return skipped(check, `A request with a rank it does not have was answered ${status}.`);
  return bad(
    check,
    `The header ${RANK_HEADER} is ignored: a rank it does not have was served.`,
    'Affinity cannot work through this URL. See that no proxy in between drops the header, or use one URL per replica.',
  );
}

/** The same prompt twice to one rank: the second one comes from the cache, and the engine says so. */
async function checkCache(engine: Engine, model: string, ranks: number): Promise<Finding> {
  const check = name(engine, 'cache');
  const prompt = `${randomUUID()} ${'word '.repeat(PROBE_WORDS)}`;
  const pin = ranks < 2 ? {} : { [RANK_HEADER]: '0' };
  const first = await probe(engine, model, prompt, pin);
  if (first.status !== 200) return skipped(check, `A prompt of ${PROBE_WORDS} words was answered ${first.status}.`);
  const again = usageOf(await probe(engine, model, prompt, pin));
  if (again === null) return skipped(check, 'Its answers carry no usage.');
  if (again.cached === null) {
    return bad(
      check,
      'It does not say how much of a prompt came from its cache.',
      'Start vLLM with --enable-prompt-tokens-details; until then everything counts as computed.',
    );
  }
  if (again.cached === 0) {
    return bad(
      check,
      'A prompt sent twice was computed twice.',
      'Start vLLM with --enable-prefix-caching; without it affinity gains nothing.',
    );
  }
  return ok(check, `A prompt sent twice: ${again.cached} of ${again.prompt} tokens came from the cache.`);
}
