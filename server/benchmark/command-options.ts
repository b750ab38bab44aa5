import { planBenchmark } from '#lib/benchmark/plan.ts';
import { type BenchmarkPlan, type BenchmarkRequest, benchmarkRequest } from '#lib/contract/benchmark.ts';
import { OptionError, type OptionValues, readOptions } from '#lib/experiment/option-values.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Options of the command, as `util.parseArgs` takes them. */
export const OPTION_TYPES = {
  url: text,
  model: text,
  steps: text,
  minutes: text,
  warmup: text,
  repeats: text,
  seed: text,
  policies: text,
  workload: text,
  protocol: text,
  prompts: text,
  arrivals: text,
  'api-key': text,
  'allow-traffic': flag,
  'system-tokens': text,
  'first-tokens': text,
  turns: text,
  'turn-tokens': text,
  'output-tokens': text,
  think: text,
  subagents: text,
  'subagent-turns': text,
  trace: text,
  scale: text,
  'max-think': text,
  json: flag,
  help: flag,
} as const;

export const USAGE = `npm run bench:affinity -- --url URL --model NAME [options]

  --url URL             a running LM Warden, such as http://127.0.0.1:8090
  --model NAME          one of its models; may be left out where it has one
  --steps 4,8           sessions at once; with --arrivals open, sessions started an hour
  --minutes 1           measured time of a step;  --warmup 10  seconds before it that are left out
  --repeats 1           of everything, averaged
  --policies A,B,C      off, affinity, cache-fit (without it: off, affinity); in turn at each step, the first of them another one each time
  --seed N              the same seed sends the same prompts; drawn where it is not given
  --workload NAME       reference (6 turns, 11k tokens) or claude-code (12 turns, 20 to 60k tokens, subagents, pauses)
  --protocol NAME       messages (/v1/messages) or chat (chat completions, answers of full length)
  --prompts fresh       or same: both settings get the same prompts
  --arrivals closed     or open
  --allow-traffic       starts although the model has other traffic
  --api-key KEY         where the router asks for one
  --json                one JSON document on stdout, and nothing else there

The sessions:  --system-tokens N  --first-tokens N or A-B  --turns N  --turn-tokens N or A-B  --output-tokens N or A-B
               --think A-B (seconds between turns)  --subagents N  --subagent-turns N
Replay:        --trace FOLDER (recorded conversations, *.json)  --scale 0.25  --max-think 300 (seconds)

Affinity and cache-fit of the model are switched while it runs, and put back at the end, when it is stopped with
Ctrl-C, and at the next start of this command where it was killed.`;

export type CommandOptions = {
  readonly url: string;
  /** Null: the only one there is. */
  readonly model: string | null;
  readonly apiKey: string | null;
  readonly allowTraffic: boolean;
  readonly json: boolean;
  readonly traceFolder: string | null;
  readonly replay: { readonly scale: number; readonly maxThinkSeconds: number };
  plan(model: string, drawnSeed: number): BenchmarkPlan;
};

const WHOLE = { least: 1, whole: true } as const;
const COUNT = { least: 0, whole: true } as const;
const SECONDS = { least: 0, whole: false } as const;
const ANY_RANGE = { least: 0, most: 0 };

/** Checks the command line; throws OptionError with what to write instead. */
export function readCommandOptions(values: OptionValues): CommandOptions {
  const read = readOptions(values);
  const traceFolder = read.text('trace');
  return {
    url: baseUrl(read.text('url')),
    model: read.text('model'),
    apiKey: read.text('api-key'),
    allowTraffic: read.flag('allow-traffic'),
    json: read.flag('json'),
    traceFolder,
    replay: {
      scale: read.number('scale', 1, { least: 0.001, whole: false }),
      maxThinkSeconds: read.number('max-think', 300, SECONDS),
    },
    plan(model, drawnSeed) {
      const plan = planBenchmark(requestOf(read, model), drawnSeed);
      return traceFolder === null ? plan : { ...plan, workload: 'trace', numbers: null };
    },
  };
}

type Reader = ReturnType<typeof readOptions>;

function requestOf(read: Reader, model: string): BenchmarkRequest {
  const parsed = benchmarkRequest.safeParse({
    model,
    workload: read.choice('workload', 'reference', ['reference', 'claude-code']),
    numbers: numbersOf(read),
    policies: read.choices('policies', ['off', 'affinity'], ['off', 'affinity', 'cache-fit']),
    steps: read.numbers('steps', [4, 8], WHOLE),
    seconds: Math.round(60_000 * read.number('minutes', 1, { least: 0.01, whole: false })) / 1000,
    warmup_seconds: read.number('warmup', 10, SECONDS),
    repeats: read.number('repeats', 1, WHOLE),
    protocol: read.choice('protocol', 'messages', ['messages', 'chat']),
    prompts: read.choice('prompts', 'fresh', ['fresh', 'same']),
    arrivals: read.choice('arrivals', 'closed', ['closed', 'open']),
    ...(read.text('seed') === null ? {} : { seed: read.number('seed', 0, COUNT) }),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OptionError(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** Only what was given: the rest is the workload's. */
function numbersOf(read: Reader): object {
  const given = (option: string, value: () => unknown, name: string) =>
    read.text(option) === null ? {} : { [name]: value() };
  const count = (option: string, name: string, least: 0 | 1 = 1) =>
    given(option, () => read.number(option, 1, { least, whole: true }), name);
  const range = (option: string, name: string) => given(option, () => read.range(option, ANY_RANGE, WHOLE), name);
  return {
    ...count('system-tokens', 'system_tokens'),
    ...range('first-tokens', 'first_message_tokens'),
    ...count('turns', 'turns'),
    ...range('turn-tokens', 'turn_tokens'),
    ...range('output-tokens', 'output_tokens'),
    ...given('think', () => read.range('think', ANY_RANGE, SECONDS), 'think_seconds'),
    ...count('subagents', 'subagents', 0),
    ...count('subagent-turns', 'subagent_turns'),
  };
}

/** People write the base URL that clients use. */
function baseUrl(given: string | null): string {
  if (given === null) throw new OptionError('--url is missing: where LM Warden runs, such as http://127.0.0.1:8090');
  const url = URL.parse(/^https?:\/\//.test(given) ? given : `http://${given}`);
  if (url === null) throw new OptionError(`--url: "${given}" is not a URL such as http://127.0.0.1:8090`);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/(v1\/?)?$/, '')}`;
}
