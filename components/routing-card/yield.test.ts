import { expect, it } from 'vitest';
import { parseSeconds } from './yield.ts';

it.each(['0', '0.5', '3601', '-3', 'soon'])('refuses %j as outside of 1 to 3600 seconds', (text) => {
  expect(parseSeconds(text)).toEqual({ problem: 'outside' });
});

it.each(['', '  '])('takes %j as not given', (text) => {
  expect(parseSeconds(text)).toEqual({ problem: 'empty' });
});

it.each([
  ['1', 1],
  ['42.5', 42.5],
  ['3600', 3600],
])('takes %j', (text, value) => {
  expect(parseSeconds(text)).toEqual({ value });
});
