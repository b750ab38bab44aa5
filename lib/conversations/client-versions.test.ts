import { expect, it } from 'vitest';
import { prefixTroubles } from './client-versions.ts';

it.each([
  ['Claude Code 2.0.77', []],
  ['Claude Code 2.1.80', ['line_per_conversation']],
  ['Claude Code 2.1.112', ['line_per_conversation']],
  ['Claude Code 2.1.113', ['line_per_request']],
  ['Claude Code 2.1.160', ['line_per_request', 'system_entries']],
  ['Claude Code 2.1.179', ['line_per_request', 'system_entries']],
  ['Claude Code 2.1.180', ['line_per_conversation', 'system_entries']],
  ['Claude Code 2.2.0', ['line_per_conversation', 'system_entries']],
  ['Claude Code', []],
  ['Codex 2.1.160', []],
])('knows of %s: %j', (client, troubles) => {
  expect(prefixTroubles(client)).toEqual(troubles);
});
