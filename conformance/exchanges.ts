/** One request to the engine itself. `server`: one replica with a key; `oneUrl`: two ranks behind one URL. */
export type RecordedRequest = {
  readonly name: string;
  readonly target: 'oneUrl' | 'server';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body: object | string | null;
};

const JSON_TYPE = { 'content-type': 'application/json' };
const PINNED = { ...JSON_TYPE, 'x-data-parallel-rank': '0' };
const OUT_OF_RANGE = { ...JSON_TYPE, 'x-data-parallel-rank': '7' };
const STREAMED = { stream: true };
const WITH_USAGE = { ...STREAMED, stream_options: { include_usage: true } };

const get = (name: string, path: string, target: RecordedRequest['target'] = 'oneUrl'): RecordedRequest => ({
  name,
  target,
  method: 'GET',
  path,
  headers: {},
  body: null,
});
const post = (
  name: string,
  path: string,
  body: object | string,
  headers: RecordedRequest['headers'] = PINNED,
): RecordedRequest => ({ name, target: 'oneUrl', method: 'POST', path, headers, body });

const MESSAGES = [{ role: 'user', content: 'please write a test for this function and run it again. '.repeat(8) }];
const SHORT = [{ role: 'user', content: 'hello world' }];
/** The noise may hit upon the end mark, so it is told to go on where the API can be told. */
const greedy = { model: 'tiny', temperature: 0, ignore_eos: true };
const chat = (more: object): object => ({ ...greedy, max_tokens: 4, messages: MESSAGES, ...more });
const completion = (more: object): object => ({ ...greedy, max_tokens: 4, prompt: MESSAGES[0]?.content, ...more });
const anthropic = (more: object): object => ({
  model: 'tiny',
  temperature: 0,
  max_tokens: 4,
  messages: MESSAGES,
  ...more,
});
const responses = (more: object): object => ({
  model: 'tiny',
  temperature: 0,
  max_output_tokens: 4,
  input: MESSAGES[0]?.content,
  ...more,
});

const CHAT = '/v1/chat/completions';
const COMPLETIONS = '/v1/completions';
const ANTHROPIC = '/v1/messages';
const RESPONSES = '/v1/responses';

/** Every exchange whose form the product or the simulator relies on, in the order in which they are made. */
export const EXCHANGES: readonly RecordedRequest[] = [
  get('health', '/health'),
  get('version', '/version'),
  get('models', '/v1/models'),
  get('unauthorized', '/v1/models', 'server'),
  post('chat', CHAT, chat({})),
  post('chat-stream', CHAT, chat(STREAMED)),
  post('chat-stream-usage', CHAT, chat(WITH_USAGE)),
  post('completion', COMPLETIONS, completion({})),
  post('completion-stream-usage', COMPLETIONS, completion(WITH_USAGE)),
  post('messages', ANTHROPIC, anthropic({})),
  post('messages-stream', ANTHROPIC, anthropic(STREAMED)),
  post('count-tokens', '/v1/messages/count_tokens', { model: 'tiny', messages: SHORT }),
  post('responses', RESPONSES, responses({})),
  post('responses-stream', RESPONSES, responses(STREAMED)),
  post('tokenize', '/tokenize', { model: 'tiny', prompt: 'hello world' }),
  post('detokenize', '/detokenize', { model: 'tiny', tokens: [70, 71, 72] }),
  post('chat-rank-out-of-range', CHAT, chat({}), OUT_OF_RANGE),
  post('chat-rank-out-of-range-stream', CHAT, chat(STREAMED), OUT_OF_RANGE),
  post('completion-rank-out-of-range', COMPLETIONS, completion({}), OUT_OF_RANGE),
  post('messages-rank-out-of-range', ANTHROPIC, anthropic({}), OUT_OF_RANGE),
  post('messages-rank-out-of-range-stream', ANTHROPIC, anthropic(STREAMED), OUT_OF_RANGE),
  post('responses-rank-out-of-range', RESPONSES, responses({}), OUT_OF_RANGE),
  post('chat-unknown-model', CHAT, chat({ model: 'nope' })),
  post('messages-unknown-model', ANTHROPIC, anthropic({ model: 'nope' })),
  post('chat-no-messages', CHAT, { model: 'tiny' }),
  post('messages-no-max-tokens', ANTHROPIC, { model: 'tiny', messages: SHORT }),
  post('chat-not-json', CHAT, '{"model":'),
  post('chat-wrong-content-type', CHAT, '{}', { 'content-type': 'text/plain' }),
  post('chat-stream-options-without-stream', CHAT, chat({ stream_options: { include_usage: true } })),
  post('chat-too-long', CHAT, chat({ max_tokens: 5000 })),
  post('messages-too-long', ANTHROPIC, anthropic({ max_tokens: 5000 })),
  post('embeddings-of-a-chat-model', '/v1/embeddings', { model: 'tiny', input: 'hello' }),
  post('unknown-path', '/v1/nothing', {}),
  get('method-not-allowed', CHAT),
];
