export const MODEL = 'qwen3-4b-dp4';

/** What the router said about a request, and what the engine said it took. */
export type Answer = {
  readonly status: number;
  readonly decision: string | null;
  readonly replica: number | null;
  readonly body: unknown;
};

export type Turn = {
  readonly session?: string;
  readonly path?: string;
  /** Merged into the body of a short chat completion. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One turn of a conversation as Claude Code names it, answered whole. */
export async function sendTurn(url: string, turn: Turn = {}): Promise<Answer> {
  const response = await post(url, turn);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { ...facts(response), body: isJson ? JSON.parse(text) : text };
}

export type OpenTurn = Answer & {
  /** The rest of the stream, to its end. */
  finish(): Promise<string>;
  /** Leaves, as a client does that closes its connection. */
  leave(): void;
};

/** A streamed turn that the engine is busy with when this resolves: `tokens` take it about 22 ms each. */
export async function openTurn(url: string, turn: Turn & { readonly tokens: number }): Promise<OpenTurn> {
  const leaving = new AbortController();
  const body = { stream: true, max_tokens: turn.tokens, ignore_eos: true, ...turn.body };
  const response = await post(url, { ...turn, body }, leaving.signal);
  return {
    ...facts(response),
    body: null,
    finish: () => response.text(),
    leave: () => leaving.abort(),
  };
}

function post(url: string, turn: Turn, signal: AbortSignal | null = null): Promise<Response> {
  const { session, path = '/v1/chat/completions', body, headers } = turn;
  return fetch(url + path, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      ...(session === undefined ? {} : { 'x-claude-code-session-id': session }),
      ...headers,
    },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 4,
      messages: [{ role: 'user', content: `hello from ${session ?? 'nobody'}` }],
      ...body,
    }),
  });
}

function facts({ status, headers }: Response): Omit<Answer, 'body'> {
  const replica = headers.get('x-warden-replica');
  return { status, decision: headers.get('x-warden-decision'), replica: replica === null ? null : Number(replica) };
}
