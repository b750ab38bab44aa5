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

const request: RoutedRequest = {
  key: { hash: 'conversation', source: 'test' },
  role: 'turn',
  sideReason: null,
  pin: null,
  unpinnable: null,
  bodyBytes: 100_000,
};

function turn(model: ModelRuntime): string {
  const placement = model.place(request, null, freePass(null));
  if (placement === null) return 'no replica';
  placement.answered();
  placement.release(true, NO_USAGE);
  return `${placement.decision.kind} ${placement.target.url}`;
}

const A = 'http://a:1';
const B = 'http://b:1';

describe('a replica that is away', () => {
  it('for a short while, gets its conversation back', async () => {
    const { model, clock, well, away } = await runningModel([A, B], closing);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.pass(20_000);
    away(A);
    well(A);
    expect(turn(model)).toBe(`sticky ${A}`);
  });

  it('for long, loses it to the replica that stood in, whose cache it is in', async () => {
    const { model, clock, well, away } = await runningModel([A, B], closing);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.pass(120_000);
    away(A);
    expect(turn(model)).toBe(`sticky ${B}`);
    well(A);
    expect(turn(model)).toBe(`sticky ${B}`);
  });

  it('for long, and is the only one, keeps its conversation: nobody else has had it', async () => {
    const { model, clock, well, away } = await runningModel([A], closing);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe('no replica');
    clock.pass(120_000);
    away(A);
    well(A);
    expect(turn(model)).toBe(`sticky ${A}`);
  });
});
