import { expect, it } from 'vitest';
import { clientOptions, isClient } from './client-options.ts';

it('offers each client once, and a program for all of its versions where there are several', () => {
  expect(clientOptions(['Claude Code 2.1.332', 'curl', 'Codex 0.171.0', 'Claude Code 2.1.86', 'curl'])).toEqual([
    { value: 'Claude Code', isProgram: true },
    { value: 'Claude Code 2.1.86', isProgram: false },
    { value: 'Claude Code 2.1.332', isProgram: false },
    { value: 'Codex 0.171.0', isProgram: false },
    { value: 'curl', isProgram: false },
  ]);
});

it('takes all versions of a program for it, and no other program', () => {
  expect(isClient('Claude Code 2.1.86', 'Claude Code')).toBe(true);
  expect(isClient('Claude Code 2.1.86', 'Claude Code 2.1.8')).toBe(false);
  expect(isClient('Claude Codex 1', 'Claude Code')).toBe(false);
  expect(isClient(null, 'curl')).toBe(false);
});
