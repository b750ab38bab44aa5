import { describe, expect, it } from 'vitest';
import { blocksOf, CLIENTS, type Target } from './recipes.ts';

const origin = 'http://127.0.0.1:8090';
const target = (changes: Partial<Target> = {}): Target => ({
  origin,
  model: 'qwen3-4b-dp4',
  context: null,
  keyRequired: false,
  takesClaudeNames: true,
  ...changes,
});

const settingsOf = (changes: Partial<Target>): unknown =>
  JSON.parse(blocksOf('claude-code', target(changes))[1]?.code ?? '');

describe('the blocks', () => {
  it('give Claude Code the origin without /v1, which it adds itself, in the shell and in its settings alike', () => {
    const [shell, settings] = blocksOf('claude-code', target());
    expect(shell?.code).toContain(`export ANTHROPIC_BASE_URL=${origin}\n`);
    expect(JSON.parse(settings?.code ?? '')).toEqual({
      env: {
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: 'any',
        ANTHROPIC_MODEL: 'qwen3-4b-dp4',
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
      },
    });
  });

  it('tell Claude Code of a context that is smaller than it would take for granted, and to ask for less than a quarter of it', () => {
    expect(settingsOf({ context: 40_960 })).toMatchObject({
      env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '40960', CLAUDE_CODE_MAX_OUTPUT_TOKENS: '10000' },
    });
    expect(settingsOf({ context: 262_144 })).toMatchObject({ env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '32000' } });
    expect(settingsOf({ context: 1_048_576 })).not.toHaveProperty('env.CLAUDE_CODE_MAX_CONTEXT_TOKENS');
  });

  it('send the background requests of Claude Code to the model where no alias does', () => {
    const models = { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'm', ANTHROPIC_DEFAULT_OPUS_MODEL: 'm' };
    expect(settingsOf({ model: 'm', takesClaudeNames: false })).toMatchObject({ env: models });
    expect(settingsOf({ model: 'm' })).not.toHaveProperty('env.ANTHROPIC_DEFAULT_HAIKU_MODEL');
  });

  it('give every other client that speaks OpenAI the /v1 address', () => {
    for (const client of ['codex', 'opencode', 'openai-sdk', 'curl'] as const) {
      expect(JSON.stringify(blocksOf(client, target()))).toContain(`${origin}/v1`);
    }
  });

  it('tell Codex and opencode the context of the model', () => {
    expect(blocksOf('codex', target({ context: 40_960 }))[0]?.code).toContain('\nmodel_context_window = 40960\n');
    expect(JSON.parse(blocksOf('opencode', target({ context: 40_960 }))[0]?.code ?? '')).toMatchObject({
      provider: { warden: { models: { 'qwen3-4b-dp4': { limit: { context: 40_960, output: 10_000 } } } } },
    });
  });

  it.each(CLIENTS)('show %s where its key goes once keys are needed', (client) => {
    const code = blocksOf(client, target({ keyRequired: true }))
      .map((block) => block.code)
      .join('\n');
    expect(code).toContain('YOUR-LM-WARDEN-KEY');
    expect(code).not.toMatch(/["'= ]any\b/);
  });

  it('quote a model name for the shell only where it needs it', () => {
    const code = (model: string) => blocksOf('claude-code', target({ model }))[0]?.code;
    expect(code('Qwen/Qwen3-4B')).toContain('ANTHROPIC_MODEL=Qwen/Qwen3-4B\n');
    expect(code("it's mine")).toContain("ANTHROPIC_MODEL='it'\\''s mine'\n");
  });
});
