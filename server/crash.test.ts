import { inspect } from 'node:util';
import Sqlite from 'better-sqlite3';
import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { crashOf } from './crash.ts';

const CANARY = 'canary-of-the-prompt';
/** As something that came from outside and was taken for what it is not. */
const UNTYPED = JSON.parse(JSON.stringify(CANARY));

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function sqliteError(): unknown {
  const database = new Sqlite(':memory:');
  try {
    return thrownBy(() => database.exec(`SELECT * FROM "${CANARY}"`));
  } finally {
    database.close();
  }
}

const asked = { body: { messages: [{ content: CANARY }] }, headers: { authorization: `Bearer ${CANARY}` } };

/** Errors of what we use, each with something of a request or an answer in it, as Node would print them. */
const THROWN: readonly (readonly [string, () => unknown])[] = [
  ['JSON', () => thrownBy(() => JSON.parse(CANARY))],
  ['undici: what is no HTTP', () => Object.assign(new errors.HTTPParserError('Expected HTTP/'), { data: CANARY })],
  ['undici: a status', () => new errors.ResponseError('refused', 500, { headers: {}, body: CANARY })],
  ['zod', () => thrownBy(() => z.enum(['a']).parse({ canary: CANARY }, { error: ({ input }) => inspect(input) }))],
  ['sqlite', sqliteError],
  ['node: a wrong argument', () => thrownBy(() => Buffer.alloc(UNTYPED))],
  ['node: a wrong URL', () => thrownBy(() => new URL(`${CANARY}/`))],
  ['the language', () => thrownBy(() => 'a' in UNTYPED)],
  ['with the request on it', () => Object.assign(new Error('failed'), asked)],
  ['with it in the message', () => new Error(`failed at ${JSON.stringify(asked)}\n    at ${CANARY}\n`)],
  ['as a cause', () => new Error('failed', { cause: Object.assign(new Error(CANARY), asked) })],
  ['one of several', () => new AggregateError([new Error(CANARY), asked], CANARY)],
  ['with its name changed', () => Object.assign(new Error('failed'), { name: CANARY, code: CANARY })],
  ['no error at all', () => CANARY],
  ['an object', () => asked],
];

describe('what is said of a crash', () => {
  it.each(THROWN)('has nothing of what was sent, where Node would print it: %s', (_what, make) => {
    const thrown = make();
    expect(inspect(thrown, { depth: 10 })).toContain('canary');
    expect(JSON.stringify(crashOf(thrown))).not.toContain('canary');
  });

  it('says what kind it is, its code and where it was thrown, and the same of its causes', () => {
    const cause = Object.assign(new TypeError(`of ${CANARY}`), { code: 'ERR_SOMETHING' });
    const crash = crashOf(new Error(`several\nlines of ${CANARY}`, { cause }));
    expect(crash).toMatchObject({
      error: 'Error',
      code: null,
      because: [{ error: 'TypeError', code: 'ERR_SOMETHING' }],
    });
    expect(crash.at[0]).toMatch(/^at .*crash[.]test[.]ts:\d+:\d+\)?$/);
    expect(crash.because[0]?.at[0]).toContain('crash.test.ts');
  });

  it('ends, though causes go in a circle', () => {
    const error = new Error('a');
    error.cause = error;
    expect(JSON.stringify(crashOf(error)).length).toBeLessThan(10_000);
  });
});
