export const BENCH_MODEL = 'bench-model';
/** Events of one answer. */
export const CHUNK_COUNT = 20;
/** Ask the stand-in for a paced stream: milliseconds between events, and how many. */
export const PACE_HEADER = 'x-bench-pace';
export const CHUNKS_HEADER = 'x-bench-chunks';
/** Field of a paced event: when it was sent, in ms since the epoch. */
export const SENT_AT_FIELD = 'sent_at';

export type BenchRequest = {
  readonly path: string;
  readonly bodyBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tells conversations apart. */
  readonly session: number;
};

const PARAGRAPH =
  'function next(list) {\n  // takes the "first" one\n  return list[0] ?? null;\n}\n\tIt failed with: \\u00e9 is not a path\n';

/** A request as Claude Code makes them, key order included, filled up to a size; as the bytes on the wire. */
export function requestBytes({ path, bodyBytes, headers = {}, session }: BenchRequest): Buffer {
  const id = `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`;
  const body = Buffer.from(JSON.stringify(path.includes('chat') ? chatBody(bodyBytes) : messagesBody(bodyBytes, id)));
  const all = {
    host: 'bench',
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'claude-cli/2.1.332 (external, cli)',
    'anthropic-version': '2023-06-01',
    authorization: 'Bearer bench',
    'x-claude-code-session-id': id,
    ...headers,
    'content-length': String(body.length),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

function messagesBody(bytes: number, session: string): object {
  const tools = Array.from({ length: bytes < 10_000 ? 1 : 12 }, (_, index) => ({
    name: `tool_${index}`,
    description: bytes < 10_000 ? 'x' : PARAGRAPH.repeat(8),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  const fixed = JSON.stringify(tools).length + 600;
  return {
    model: BENCH_MODEL,
    messages: conversation(bytes - fixed, (text) => [{ type: 'text', text }]),
    system: [{ type: 'text', text: 'You are a bench.', cache_control: { type: 'ephemeral' } }],
    tools,
    metadata: { user_id: JSON.stringify({ device_id: 'x', account_uuid: '', session_id: session }) },
    max_tokens: 32_000,
    stream: true,
  };
}

function chatBody(bytes: number): object {
  return { model: BENCH_MODEL, messages: conversation(bytes - 300, (text) => text), max_tokens: 100, stream: true };
}

/** Messages of some 6 KB each, by turns of the user and the assistant, the last of the user. */
function conversation(bytes: number, content: (text: string) => unknown): object[] {
  const messages: object[] = [];
  let left = bytes;
  while (left > 100 || messages.length % 2 === 0) {
    const text = PARAGRAPH.repeat(Math.max(1, Math.floor(Math.min(left, 6_000) / (PARAGRAPH.length + 12))));
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content: content(text) });
    left -= JSON.stringify(messages.at(-1)).length;
  }
  return messages;
}
