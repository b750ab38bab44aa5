/** One block to copy: a file's content or a command. */
export type Block = { readonly title: string; readonly code: string };
export type Recipe = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly blocks: readonly Block[];
};

type Target = { readonly origin: string; readonly model: string };

const NO_ID =
  'Sends no session id by itself. The router then knows a conversation by its messages; an id of your own in the header ' +
  'x-session-id, the same on every turn, is surer.';

/** What each client needs to talk to this router. `origin` has no path and no trailing slash. */
export function recipes(target: Target): Recipe[] {
  return [claudeCode(target), codex(target), opencode(target), openaiSdk(target), anthropicSdk(target), curl(target)];
}

function claudeCode({ origin, model }: Target): Recipe {
  const settings = { env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_AUTH_TOKEN: 'any', ANTHROPIC_MODEL: model } };
  return {
    id: 'claude-code',
    name: 'Claude Code',
    hint:
      'Sends its session id by itself from version 2.1.86 on, and in its metadata before that. It asks for Claude models ' +
      'in the background too: give the model the alias "claude-*" in warden.yaml, or set ANTHROPIC_DEFAULT_HAIKU_MODEL ' +
      'and its siblings. Where the model has a small window, set CLAUDE_CODE_MAX_CONTEXT_TOKENS to it.',
    blocks: [
      {
        title: 'shell',
        code: [
          `export ANTHROPIC_BASE_URL=${origin}`,
          'export ANTHROPIC_AUTH_TOKEN=any',
          `export ANTHROPIC_MODEL=${shell(model)}`,
          'claude',
        ].join('\n'),
      },
      { title: '~/.claude/settings.json', code: JSON.stringify(settings, null, 2) },
    ],
  };
}

function codex({ origin, model }: Target): Recipe {
  return {
    id: 'codex',
    name: 'Codex',
    hint: 'Speaks the Responses API only. Sends session and thread ids by itself; subagents get a home of their own.',
    blocks: [
      {
        title: '~/.codex/config.toml',
        code: [
          `model = ${JSON.stringify(model)}`,
          'model_provider = "warden"',
          '',
          '[model_providers.warden]',
          'name = "LM Warden"',
          `base_url = "${origin}/v1"`,
          'env_key = "WARDEN_KEY"',
          'wire_api = "responses"',
        ].join('\n'),
      },
      { title: 'shell', code: 'export WARDEN_KEY=any\ncodex' },
    ],
  };
}

function opencode({ origin, model }: Target): Recipe {
  const config = {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      warden: {
        npm: '@ai-sdk/openai-compatible',
        name: 'LM Warden',
        options: { baseURL: `${origin}/v1`, apiKey: 'any' },
        models: { [model]: {} },
      },
    },
    model: `warden/${model}`,
  };
  return {
    id: 'opencode',
    name: 'opencode',
    hint: 'Sends a session id by itself in current versions (1.14 and 1.18 do, 1.2 does not).',
    blocks: [{ title: '~/.config/opencode/opencode.json', code: JSON.stringify(config, null, 2) }],
  };
}

function openaiSdk({ origin, model }: Target): Recipe {
  return {
    id: 'openai-sdk',
    name: 'OpenAI SDK',
    hint: NO_ID,
    blocks: [
      {
        title: 'Python',
        code: [
          'from openai import OpenAI',
          '',
          `client = OpenAI(base_url="${origin}/v1", api_key="any")`,
          'answer = client.chat.completions.create(',
          `    model=${JSON.stringify(model)},`,
          '    messages=[{"role": "user", "content": "Hello"}],',
          '    extra_headers={"x-session-id": conversation_id},',
          ')',
        ].join('\n'),
      },
      {
        title: 'JavaScript',
        code: [
          "import OpenAI from 'openai';",
          '',
          `const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: 'any' });`,
          'const answer = await client.chat.completions.create(',
          `  { model: ${JSON.stringify(model)}, messages: [{ role: 'user', content: 'Hello' }] },`,
          "  { headers: { 'x-session-id': conversationId } },",
          ');',
        ].join('\n'),
      },
    ],
  };
}

function anthropicSdk({ origin, model }: Target): Recipe {
  return {
    id: 'anthropic-sdk',
    name: 'Anthropic SDK',
    hint: NO_ID,
    blocks: [
      {
        title: 'Python',
        code: [
          'from anthropic import Anthropic',
          '',
          `client = Anthropic(base_url="${origin}", auth_token="any")`,
          'answer = client.messages.create(',
          `    model=${JSON.stringify(model)},`,
          '    max_tokens=1024,',
          '    messages=[{"role": "user", "content": "Hello"}],',
          '    extra_headers={"x-session-id": conversation_id},',
          ')',
        ].join('\n'),
      },
    ],
  };
}

function curl({ origin, model }: Target): Recipe {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return {
    id: 'curl',
    name: 'curl',
    hint: 'Run it twice: the second answer says x-warden-decision: sticky and names the same replica.',
    blocks: [
      {
        title: 'shell',
        code: [
          `curl -i ${origin}/v1/chat/completions \\`,
          "  -H 'content-type: application/json' \\",
          "  -H 'x-session-id: my-first-conversation' \\",
          `  -d ${shell(body)}`,
        ].join('\n'),
      },
    ],
  };
}

/** Quoted for a POSIX shell where it needs to be. */
function shell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
