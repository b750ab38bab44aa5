import { writeSync } from 'node:fs';
import type { Logger } from 'pino';

/** What may be said of an error that nobody handled. */
export type Crash = {
  readonly error: string;
  readonly code: string | null;
  /** Where it was thrown, the innermost first. */
  readonly at: readonly string[];
  readonly because: readonly Crash[];
};

const LEFT_OUT = 'its message is left out, as it may quote what was sent';
const DEPTH = 3;
const WIDTH = 3;
const NAME = /^\w{0,60}(?:Error|Exception)$/;
const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;
const FRAME = /^ {4}at [^\n]*(?:file:\/\/|node:|\/)[^\n]*:\d+:\d+\)?$/;

/**
 * Says where an error that nobody handled came from. One that was thrown ends the process, as nobody knows what it left
 * half done; a promise that was rejected is told alone, since Next, which serves the pages, leaves some so by design.
 * Node and Next print such errors whole: a message that quotes what could not be parsed, and all that hangs on it, such
 * as the bytes of an answer.
 */
export function tellCrashes(log: Logger): void {
  // Before any other listener, which might print it.
  process.prependListener('uncaughtException', (thrown, origin) => {
    say(log, 'fatal', { crash: crashOf(thrown), origin }, `the process ends: nobody handled an error; ${LEFT_OUT}`);
    process.exit(1);
  });
  const onRejection = (reason: unknown): void => {
    say(log, 'error', { crash: crashOf(reason) }, `nobody handled a promise that was rejected; ${LEFT_OUT}`);
  };
  process.on('unhandledRejection', onRejection);
  // Next adds its own with the pages it loads, and would print what this one leaves out.
  process.on('newListener', (event, listener) => {
    if (event !== 'unhandledRejection' || listener === onRejection) return;
    queueMicrotask(() => process.off('unhandledRejection', listener));
  });
}

function say(log: Logger, level: 'error' | 'fatal', what: object, sentence: string): void {
  if (log.isLevelEnabled(level)) log[level](what, sentence);
  else writeSync(process.stderr.fd, `${JSON.stringify({ ...what, msg: sentence })}\n`);
}

/** The kind of an error, its code and the places in the code, without any word that may come from outside. */
export function crashOf(thrown: unknown, depth = DEPTH): Crash {
  if (!(thrown instanceof Error)) return { error: typeof thrown, code: null, at: [], because: [] };
  const code = 'code' in thrown && typeof thrown.code === 'string' && CODE.test(thrown.code) ? thrown.code : null;
  const errors: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  const causes = [...(thrown.cause === undefined ? [] : [thrown.cause]), ...errors];
  return {
    error: NAME.test(thrown.name) ? thrown.name : 'Error',
    code,
    at: framesOf(thrown),
    because: depth === 0 ? [] : causes.slice(0, WIDTH).map((cause) => crashOf(cause, depth - 1)),
  };
}

/** A message may have several lines, and stands before the frames. */
function framesOf({ stack, message }: Error): readonly string[] {
  if (typeof stack !== 'string') return [];
  const at = stack.indexOf(message);
  const behind = at < 0 ? stack : stack.slice(at + message.length);
  return behind
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim());
}
