import { OptionError, type OptionValues } from './option-values.ts';
import { planExperiment } from './options.ts';
import { deviationTable, reportTable } from './report-table.ts';
import { runExperiment } from './run-experiment.ts';
import { parseTrace } from './trace.ts';

/** A file of the folder that `--trace` names. */
export type TraceFile = { readonly name: string; readonly text: string };

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Options of the command, as `util.parseArgs` takes them. */
export const OPTION_TYPES = {
  preset: text,
  policies: text,
  steps: text,
  seconds: text,
  warmup: text,
  seeds: text,
  arrivals: text,
  'kv-tokens': text,
  'max-num-seqs': text,
  replicas: text,
  'api-servers': text,
  'spill-threshold': text,
  'round-trip': text,
  'system-tokens': text,
  'first-tokens': text,
  turns: text,
  'turn-tokens': text,
  'output-tokens': text,
  context: text,
  think: text,
  subagents: text,
  'subagent-turns': text,
  trace: text,
  scale: text,
  'max-think': text,
  json: flag,
  deviation: flag,
  help: flag,
} as const;

export const USAGE = `npm run experiment -- [options]

  --preset NAME         a4000x4 (the reference box and load) or rtx5090x7 (the seven-card story)
  --policies A,B        off (round-robin, dense models up to vLLM 0.26), off-0.27 (load-aware), hash, affinity,
                        cache-fit (affinity behind admission by cache size),
                        cache-fit-3 (the same on three wardens, each
                        conversation kept at one), cache-fit-3-dealt (every request at any of them)
  --steps 4,8           sessions at once; with --arrivals open, sessions started an hour
  --seconds 600         measured virtual time of a step;  --warmup 0  virtual time before it that is left out
  --seeds 1,2           repeats, averaged
  --json                one JSON document instead of the table
  --deviation           a second table: the difference from the reference measurement (a4000x4)

The box:       --kv-tokens N (a replica)  --max-num-seqs N  --replicas N  --api-servers N  --spill-threshold N
               --round-trip SECONDS (client to router and back)
The sessions:  --system-tokens N  --first-tokens N or A-B  --turns N  --turn-tokens N or A-B  --output-tokens N or A-B
               --think A-B (seconds between turns)  --context N (mean prompt; sizes the first message)
               --subagents N (called at once by each session)  --subagent-turns N  --arrivals closed or open
Replay:        --trace FOLDER (recorded conversations, *.json)  --scale 0.25  --max-think 300 (seconds)`;

/** Runs the command and gives what goes to stdout; throws OptionError where the options make no sense. */
export function runCommand(values: OptionValues, traceFiles: readonly TraceFile[]): string {
  if (values.trace !== undefined && traceFiles.length === 0) {
    throw new OptionError('--trace: there are no .json files in that folder');
  }
  const plan = planExperiment(values);
  const report = runExperiment(
    plan,
    traceFiles.map(({ name, text: content }) => parseTrace(content, name)),
  );
  if (values.json === true) return JSON.stringify(report, null, 2);
  return values.deviation === true ? `${reportTable(report)}\n\n${deviationTable(report.rows)}` : reportTable(report);
}

/** What a person is told of a mistake of theirs; null where the error is no mistake of theirs. */
export function mistake(error: unknown): string | null {
  return error instanceof OptionError ? error.message : null;
}
