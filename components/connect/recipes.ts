/** The clients that have instructions of their own. */
export const CLIENTS = ['claude-code', 'codex', 'opencode', 'openai-sdk', 'anthropic-sdk', 'curl'] as const;
export type ClientId = (typeof CLIENTS)[number];

/** One block to copy: a file's content or a command. `title`: the file's path, or where it is typed. */
export type Block = { readonly title: string; readonly code: string };

export type Target = {
  /** Of the router, without a path and a trailing slash. */
  readonly origin: string;
  readonly model: string;
  /** The longest context of a request, in tokens; null where the engine does not say. */
  readonly context: number | null;
  readonly keyRequired: boolean;
  /** Requests for Claude names reach this model. */
  readonly takesClaudeNames: boolean;
};

/** Where a key is needed it is the reader's own; elsewhere clients insist on some text, and any will do. */
const KEY_PLACEHOLDER = 'YOUR-LM-WARDEN-KEY';
const keyOf = ({ keyRequired }: Target): string => (keyRequired ? KEY_PLACEHOLDER : 'any');

/** What each client needs to talk to this router. */
export function blocksOf(client: ClientId, target: Target): readonly Block[] {
  switch (client) {
    case 'claude-code':
      return claudeCode(target);
    case 'codex':
      return codex(target);
    case 'opencode':
      return opencode(target);
    case 'openai-sdk':
      return openaiSdk(target);
    case 'anthropic-sdk':
      return anthropicSdk(target);
    case 'curl':
      return curl(target);
  }
}

/** Claude Code takes an unknown model for one of a million tokens, and asks for 32,000 tokens of output. */
const CLAUDE_CODE_CONTEXT = 1_000_000;
const CLAUDE_CODE_OUTPUT = 32_000;

/** A quarter of the context, in whole thousands, leaves room for the prompt. */
function outputTokens(context: number, most: number): number {
  return Math.min(most, Math.max(1000, Math.floor(context / 4 / 1000) * 1000));
}

function claudeCode(target: Target): readonly Block[] {
  const { origin, model, context, takesClaudeNames } = target;
  const otherModels = [
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
  ];
  const env: Record<string, string> = {
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_AUTH_TOKEN: keyOf(target),
    ANTHROPIC_MODEL: model,
    ...(takesClaudeNames ? {} : Object.fromEntries(otherModels.map((name) => [name, model]))),
    ...(context === null || context >= CLAUDE_CODE_CONTEXT
      ? {}
      : {
          CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(context),
          CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(outputTokens(context, CLAUDE_CODE_OUTPUT)),
        }),
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
  };
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${shell(value)}`);
  return [
    { title: 'shell', code: [...exports, 'claude'].join('\n') },
    { title: '~/.claude/settings.json', code: JSON.stringify({ env }, null, 2) },
  ];
}

function codex(target: Target): readonly Block[] {
  const { origin, model, context } = target;
  return [
    {
      title: '~/.codex/config.toml',
      code: [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "warden"',
        ...(context === null ? [] : [`model_context_window = ${context}`]),
        '',
        '[model_providers.warden]',
        'name = "LM Warden"',
        `base_url = "${origin}/v1"`,
        'env_key = "WARDEN_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    },
    { title: 'shell', code: `export WARDEN_KEY=${keyOf(target)}\ncodex` },
  ];
}

function opencode(target: Target): readonly Block[] {
  const { origin, model, context } = target;
  const limit = context === null ? {} : { limit: { context, output: outputTokens(context, CLAUDE_CODE_OUTPUT) } };
  const config = {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      warden: {
        npm: '@ai-sdk/openai-compatible',
        name: 'LM Warden',
        options: { baseURL: `${origin}/v1`, apiKey: keyOf(target) },
        models: { [model]: limit },
      },
    },
    model: `warden/${model}`,
  };
  return [{ title: '~/.config/opencode/opencode.json', code: JSON.stringify(config, null, 2) }];
}

function openaiSdk(target: Target): readonly Block[] {
  const { origin, model } = target;
  return [
    {
      title: 'Python',
      code: [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url="${origin}/v1", api_key="${keyOf(target)}")`,
        'answer = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Hello"}],',
        '    extra_headers={"x-session-id": conversation_id},',
        ')',
      ].join('\n'),
    },
    {
      title: 'TypeScript',
      code: [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${keyOf(target)}' });`,
        'const answer = await client.chat.completions.create(',
        `  { model: ${JSON.stringify(model)}, messages: [{ role: 'user', content: 'Hello' }] },`,
        "  { headers: { 'x-session-id': conversationId } },",
        ');',
      ].join('\n'),
    },
  ];
}

function anthropicSdk(target: Target): readonly Block[] {
  const { origin, model } = target;
  return [
    {
      title: 'Python',
      code: [
        'from anthropic import Anthropic',
        '',
        `client = Anthropic(base_url="${origin}", auth_token="${keyOf(target)}")`,
        'answer = client.messages.create(',
        `    model=${JSON.stringify(model)},`,
        '    max_tokens=1024,',
        '    messages=[{"role": "user", "content": "Hello"}],',
        '    extra_headers={"x-session-id": conversation_id},',
        ')',
      ].join('\n'),
    },
    {
      title: 'TypeScript',
      code: [
        "import Anthropic from '@anthropic-ai/sdk';",
        '',
        `const client = new Anthropic({ baseURL: '${origin}', authToken: '${keyOf(target)}' });`,
        'const answer = await client.messages.create(',
        '  {',
        `    model: ${JSON.stringify(model)},`,
        '    max_tokens: 1024,',
        "    messages: [{ role: 'user', content: 'Hello' }],",
        '  },',
        "  { headers: { 'x-session-id': conversationId } },",
        ');',
      ].join('\n'),
    },
  ];
}

function curl(target: Target): readonly Block[] {
  const { origin, model, keyRequired } = target;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return [
    {
      title: 'shell',
      code: [
        `curl -i ${origin}/v1/chat/completions \\`,
        ...(keyRequired ? [`  -H 'authorization: Bearer ${KEY_PLACEHOLDER}' \\`] : []),
        "  -H 'content-type: application/json' \\",
        "  -H 'x-session-id: my-first-conversation' \\",
        `  -d ${shell(body)}`,
      ].join('\n'),
    },
  ];
}

/** Quoted for a POSIX shell where it needs to be. */
function shell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
