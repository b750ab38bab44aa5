import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig } from '#lib/config/parse-config.ts';
import { readSettings, StartError } from '#server/settings.ts';
import { backUpDatabase } from '#server/store/backup.ts';
import { restoreDatabase } from '#server/store/restore.ts';
import { cancelStagedRestore, stageRestore } from '#server/store/staged-restore.ts';
import { StoreError } from '#server/store/store-error.ts';
import { examine, findingsText } from './doctor/doctor.ts';
import { USAGE } from './usage.ts';

export type CommandContext = {
  readonly version: string;
  readonly migrationsDir: string;
  readonly env: Record<string, string | undefined>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Runs the server in this process; it ends by itself. */
  readonly start: () => Promise<void>;
};

const OPTIONS = {
  upstream: { type: 'string' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  'log-level': { type: 'string' },
  console: { type: 'string' },
  'no-requests': { type: 'boolean' },
  json: { type: 'boolean' },
  'at-next-start': { type: 'boolean' },
  cancel: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const VARIABLES = [
  ['upstream', 'WARDEN_UPSTREAM'],
  ['config', 'WARDEN_CONFIG'],
  ['host', 'WARDEN_HOST'],
  ['port', 'WARDEN_PORT'],
  ['data', 'WARDEN_DATA_DIR'],
  ['log-level', 'WARDEN_LOG_LEVEL'],
] as const;

type Flags = ReturnType<typeof parse>['values'];
/** Exit code; null where the server runs on. */
type Result = number | null;

const WRONG_USE = 2;

/** Does what `lm-warden` was called with. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<Result> {
  const parsed = parsedOrComplaint(args);
  if (typeof parsed === 'string') return misuse(context, parsed);
  const { values, positionals } = parsed;
  if (values.help === true) return said(context, USAGE);
  if (values.version === true) return said(context, context.version);
  const [command = 'start', ...rest] = positionals;
  applyFlags(values, context.env);
  try {
    return await dispatch(command, rest, values, context);
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof StoreError)) throw error;
    context.complain(error.message);
    return 1;
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
}

function parsedOrComplaint(args: readonly string[]): ReturnType<typeof parse> | string {
  try {
    return parse(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A flag wins over its variable. Models come from one place: a flag for one takes the other's variable away. */
function applyFlags(values: Flags, env: Record<string, string | undefined>): void {
  if (values.upstream !== undefined && values.config === undefined) delete env.WARDEN_CONFIG;
  if (values.config !== undefined && values.upstream === undefined) delete env.WARDEN_UPSTREAM;
  for (const [flag, variable] of VARIABLES) {
    const value = values[flag];
    if (value !== undefined) env[variable] = value;
  }
}

async function dispatch(
  command: string,
  rest: readonly string[],
  values: Flags,
  context: CommandContext,
): Promise<Result> {
  const most = command === 'start' || command === 'doctor' ? 0 : 1;
  if (rest.length > most) return misuse(context, `unexpected argument "${rest[most]}"`);
  switch (command) {
    case 'start':
      await context.start();
      return null;
    case 'doctor':
      return doctor(values, context);
    case 'backup':
      return rest[0] === undefined ? misuse(context, 'backup needs a FILE') : backup(resolve(rest[0]), context);
    case 'restore':
      return restore(rest[0], values, context);
    case 'check-config':
      return checkConfig(rest[0] ?? context.env.WARDEN_CONFIG ?? 'warden.yaml', context);
    default:
      return misuse(context, `there is no command "${command}"`);
  }
}

async function doctor(values: Flags, context: CommandContext): Promise<Result> {
  const findings = await examine({
    env: context.env,
    consoleUrl: values.console ?? null,
    withRequests: values['no-requests'] !== true,
  });
  const isWell = findings.every(({ state }) => state !== 'bad');
  const { version } = context;
  context.print(
    values.json === true ? JSON.stringify({ version, ok: isWell, findings }, null, 2) : findingsText(findings),
  );
  return isWell ? 0 : 1;
}

const databaseOf = ({ env }: CommandContext): string => join(readSettings(env).dataDir, 'warden.db');

async function backup(target: string, context: CommandContext): Promise<Result> {
  const { bytes, requests, homes } = await backUpDatabase(databaseOf(context), target);
  return said(context, `${target}: ${bytes} bytes, ${requests} requests, ${homes} homes, sound.`);
}

function restore(given: string | undefined, values: Flags, context: CommandContext): Result {
  const file = databaseOf(context);
  if (values.cancel === true) {
    const isCancelled = cancelStagedRestore(file);
    return said(context, isCancelled ? 'The backup that waited is taken back.' : 'No backup waits.');
  }
  if (given === undefined) return misuse(context, 'restore needs a FILE');
  const source = resolve(given);
  try {
    return values['at-next-start'] === true ? restoreLater(source, file, context) : restoreNow(source, file, context);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'in_use') throw error;
    context.complain(`${error.message}\n${IN_USE}`);
    return 1;
  }
}

const IN_USE = `While it runs: run this again with --at-next-start. The backup is checked and left for the next start.`;

function restoreLater(source: string, file: string, context: CommandContext): Result {
  const { requests, homes } = stageRestore(source, file, context.migrationsDir);
  return said(
    context,
    `The backup is sound: ${requests} requests and ${homes} homes. The next start of LM Warden puts it in place, and keeps
what is there beside it. To call it off: lm-warden restore --cancel`,
  );
}

function restoreNow(source: string, file: string, context: CommandContext): Result {
  const stamp = new Date().toISOString().replace(/[-:]|[.]\d+/g, '');
  const { requests, homes, keptAs } = restoreDatabase(source, file, context.migrationsDir, stamp);
  const kept = keptAs === null ? '' : `\nWhat was there is kept as ${keptAs}.`;
  return said(context, `Restored ${requests} requests and ${homes} homes.${kept}`);
}

function checkConfig(file: string, context: CommandContext): Result {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const result = parseConfig(text, context.env);
  if (result.ok) return said(context, `${file} is right: ${result.config.models.length} models.`);
  for (const { line, message } of result.problems) {
    context.complain(`${file}${line === null ? '' : `:${line}`}: ${message}`);
  }
  return 1;
}

function said({ print }: CommandContext, text: string): Result {
  print(text);
  return 0;
}

function misuse({ complain }: CommandContext, message: string): Result {
  complain(`lm-warden: ${message}\n\n${USAGE}`);
  return WRONG_USE;
}
