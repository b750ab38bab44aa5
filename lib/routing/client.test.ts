import { expect, it } from 'vitest';
import { clientName } from './client.ts';

it.each([
  ['claude-cli/2.1.332 (external, sdk-cli)', 'Claude Code 2.1.332'],
  ['claude-code/2.1.332', 'Claude Code 2.1.332'],
  ['codex_exec/0.171.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.171.0)', 'Codex 0.171.0'],
  ['codex_cli_rs/0.98.0', 'Codex 0.98.0'],
  ['opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14', 'opencode 1.18.33'],
  ['pi/1.6.0 (linux; node/v24.22.3; x64)', 'pi 1.6.0'],
  ['QwenCode/0.24.4 (linux; x64)', 'Qwen Code 0.24.4'],
  ['OpenAI/JS 7.59.0', 'OpenAI SDK'],
  ['AsyncOpenAI/Python 2.3.0', 'OpenAI SDK'],
  ['Anthropic/JS 1.14.0', 'Anthropic SDK'],
  ['curl/8.14.1', 'curl'],
  ['  GeminiCLI-tui/0.61.0 (linux; x64)', 'GeminiCLI-tui/0.61.0'],
  ['näme\u0007d/1 rest', 'nmed/1'],
  ['x'.repeat(60), 'x'.repeat(40)],
  ['', null],
  ['é é', null],
  [null, null],
])('calls the client that sends %j %j', (userAgent, name) => {
  expect(clientName(userAgent, {})).toBe(name);
});

it('recognises a client behind a proxy by the headers that only it sends', () => {
  expect(clientName('node', { 'x-claude-code-session-id': 'd6a8e77c' })).toBe('Claude Code');
  expect(clientName(null, { originator: 'codex_exec' })).toBe('Codex');
  expect(clientName('curl/8.14.1', { 'x-claude-code-session-id': 'd6a8e77c' })).toBe('curl');
});
