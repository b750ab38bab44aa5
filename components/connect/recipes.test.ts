import { describe, expect, it } from 'vitest';
import { recipes } from './recipes.ts';

const origin = 'http://127.0.0.1:8090';

describe('recipes', () => {
  it('give Claude Code the origin without /v1, which it adds itself', () => {
    const [claude] = recipes({ origin, model: 'qwen3-4b-dp4' });
    expect(claude?.blocks[0]?.code).toContain(`ANTHROPIC_BASE_URL=${origin}\n`);
    expect(JSON.parse(claude?.blocks[1]?.code ?? '')).toEqual({
      env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_AUTH_TOKEN: 'any', ANTHROPIC_MODEL: 'qwen3-4b-dp4' },
    });
  });

  it('give every other client that speaks OpenAI the /v1 address', () => {
    const others = recipes({ origin, model: 'm' }).filter(({ id }) => !['claude-code', 'anthropic-sdk'].includes(id));
    for (const recipe of others) expect(JSON.stringify(recipe.blocks)).toContain(`${origin}/v1`);
  });

  it('quote a model name for the shell only where it needs it', () => {
    const code = (model: string) => recipes({ origin, model })[0]?.blocks[0]?.code;
    expect(code('Qwen/Qwen3-4B')).toContain('ANTHROPIC_MODEL=Qwen/Qwen3-4B\n');
    expect(code("it's mine")).toContain("ANTHROPIC_MODEL='it'\\''s mine'\n");
  });
});
