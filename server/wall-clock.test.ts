import { afterEach, describe, expect, it } from 'vitest';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { freePass } from './router/admission-pass.ts';
import type { ModelRuntime } from './router/model-runtime.ts';
import { type Closing, runningModel } from './running-model-for-tests.ts';

const closing: Closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const A = 'http://a:1';
const B = 'http://b:1';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const requestOf = (hash: string): RoutedRequest => ({
  key: { hash, source: 'test' },
  role: 'turn',
  sideReason: null,
  pin: null,
  unpinnable: null,
  bodyBytes: 100_000,
});

function placed(model: ModelRuntime, hash: string) {
  const placement = model.place(requestOf(hash), null, freePass(null));
  if (placement === null) throw new Error('no replica');
  return placement;
}

function turn(model: ModelRuntime, hash = 'one'): string {
  const placement = placed(model, hash);
  placement.answered();
  placement.release(true, NO_USAGE);
  return `${placement.decision.kind} ${placement.target.url}`;
}

/** Opens the circuit of the replica that the conversation lives on. */
function breakThreeTimes(model: ModelRuntime): void {
  for (let count = 0; count < 3; count += 1) {
    const placement = placed(model, 'one');
    placement.broke('reset');
    placement.release(false, NO_USAGE);
  }
}

describe('a wall clock that is set back by an hour', () => {
  it('puts off no probe of a replica that is left alone', async () => {
    const { model, clock } = await runningModel([A, B], closing);
    expect(turn(model)).toBe(`placed ${A}`);
    breakThreeTimes(model);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.setBy(-HOUR);
    clock.pass(6_000);
    expect(turn(model)).toBe(`sticky ${A}`);
  });

  it('lets homes grow old as before', async () => {
    const { model, clock } = await runningModel([A, B], closing);
    turn(model);
    clock.setBy(-HOUR);
    clock.pass(6 * MINUTE);
    expect(model.router.liveSessionsTotal()).toBe(0);
    clock.pass(25 * MINUTE);
    expect([...model.router.homes()]).toEqual([]);
  });

  it('leaves a replica down for long long enough to lose its conversations', async () => {
    const { model, clock, away } = await runningModel([A, B], closing);
    turn(model);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.setBy(-HOUR);
    clock.pass(2 * MINUTE);
    away(A);
    expect(turn(model)).toBe(`sticky ${B}`);
  });
});

describe('a wall clock that is set ahead by an hour', () => {
  it('forgets no home, and tells when it was last used by the time that it is now', async () => {
    const { model, clock } = await runningModel([A, B], closing);
    turn(model);
    clock.setBy(HOUR);
    clock.pass(MINUTE);
    expect(model.router.liveSessionsTotal()).toBe(1);
    expect([...model.router.homes()].map(({ lastUsedAt }) => clock.now() - lastUsedAt)).toEqual([MINUTE]);
    expect(turn(model)).toBe(`sticky ${A}`);
  });

  it('moves no conversation of a replica that is away for a moment', async () => {
    const { model, clock, well, away } = await runningModel([A, B], closing);
    turn(model);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.setBy(HOUR);
    clock.pass(10_000);
    away(A);
    well(A);
    expect(turn(model)).toBe(`sticky ${A}`);
  });

  it('leaves saved homes as old as they are, over a restart too', async () => {
    const { model, clock, start } = await runningModel([A, B], closing);
    turn(model, 'old');
    clock.pass(20 * MINUTE);
    turn(model, 'new');
    clock.setBy(HOUR);
    turn(model, 'other');
    await model.close();
    const next = await start([A, B]);
    const ages = [...next.router.homes()].map(({ keyHash, lastUsedAt }) => [keyHash, clock.now() - lastUsedAt]);
    expect(ages.sort()).toEqual([
      ['new', 0],
      ['old', 20 * MINUTE],
      ['other', 0],
    ]);
    clock.pass(11 * MINUTE);
    expect([...next.router.homes()].map(({ keyHash }) => keyHash).sort()).toEqual(['new', 'other']);
  });
});

describe('a clock that is set while turns are held', () => {
  it('neither lets them go nor keeps them, and tells since when they wait by the time that it is now', async () => {
    const { model, clock } = await runningModel([A], closing, { config: { cache_fit: true } });
    model.admission.setCapacities([5_000]);
    const signal = new AbortController();
    const ask = (hash: string) =>
      model.admission.enter({ request: requestOf(hash), client: null, heldMs: 0, signal: signal.signal });
    for (let index = 0; model.admission.heldTurns().length === 0 && index < 50; index += 1) {
      const entering = ask(`conversation-${index}`);
      if (!(entering instanceof Promise)) entering.placed(entering.replica ?? 0, false);
    }
    expect(model.admission.heldTurns()).toHaveLength(1);
    clock.setBy(HOUR);
    clock.pass(5_000);
    model.admission.advance();
    expect(model.admission.heldTurns().map(({ since }) => clock.now() - since)).toEqual([5_000]);
    clock.setBy(-2 * HOUR);
    clock.pass(120_000);
    model.admission.advance();
    expect(model.admission.heldTurns()).toEqual([]);
  });
});
