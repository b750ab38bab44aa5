import { expect, it } from 'vitest';
import { perHome } from './per-home.ts';
import { testSession } from './test-session.ts';

it('counts sessions and adds up known contexts per model and replica', () => {
  const homes = perHome([session('b', 1, 500), session('a', 2, null), session('a', 0, 100), session('a', 0, 250)]);
  expect(homes).toEqual([
    { model: 'a', replica: 0, sessions: 2, contextTokens: 350 },
    { model: 'a', replica: 2, sessions: 1, contextTokens: null },
    { model: 'b', replica: 1, sessions: 1, contextTokens: 500 },
  ]);
});

it('does not let an unknown context count as 0 of a known sum', () => {
  expect(perHome([session('a', 0, null), session('a', 0, 40)])[0]?.contextTokens).toBe(40);
});

function session(model: string, home: number, context_tokens: number | null) {
  return testSession({ model, home, context_tokens });
}
