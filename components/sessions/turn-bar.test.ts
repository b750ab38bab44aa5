import { expect, it } from 'vitest';
import { barOf } from './turn-bar.ts';

const turn = (prompt_tokens: number | null, cached_tokens: number | null) => ({ prompt_tokens, cached_tokens });

it('splits a measured turn into cached and computed, in percent of the tallest', () => {
  expect(barOf(turn(5000, 4000), 10_000)).toEqual({ kind: 'split', cached: 40, computed: 10 });
});

it('draws a turn whose cached tokens nobody told as one piece, never as all computed', () => {
  expect(barOf(turn(5000, null), 10_000)).toEqual({ kind: 'whole', percent: 50 });
});

it('draws nothing that could be taken for a number where the prompt is not known', () => {
  expect(barOf(turn(null, null), 10_000)).toEqual({ kind: 'unknown' });
});
