/**
 * The engine's stand-in for the benchmark, in a process of its own: answers every POST at once with a small event
 * stream, and what pollers ask in as few bytes as will do. No model, no queue: what is measured is the way there.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BENCH_MODEL, CHUNK_COUNT, CHUNKS_HEADER, PACE_HEADER, SENT_AT_FIELD } from './workload.ts';

const METRICS = `vllm:num_requests_running{engine="0",model_name="${BENCH_MODEL}"} 0
vllm:num_requests_waiting{engine="0",model_name="${BENCH_MODEL}"} 0
vllm:kv_cache_usage_perc{engine="0",model_name="${BENCH_MODEL}"} 0
`;
const MODEL = { id: BENCH_MODEL, object: 'model', owned_by: 'bench', max_model_len: 131_072 };
const GETS: Readonly<Record<string, string>> = {
  '/metrics': METRICS,
  '/v1/models': JSON.stringify({ object: 'list', data: [MODEL] }),
  '/version': '{"version":"0.28.0"}',
  '/health': '',
};

const event = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
const text = (fields: object): string =>
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word ' }, ...fields });

/** The events of an answer of `/v1/messages`; `fields` are added to each delta. */
function messageEvents(count: number): string[] {
  const usage = { input_tokens: 100, cache_read_input_tokens: 64, cache_creation_input_tokens: 0, output_tokens: 17 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: BENCH_MODEL, usage };
  return [
    event('message_start', { message }),
    ...Array.from({ length: count - 3 }, () => text({})),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
    event('message_stop', {}),
  ];
}

/** The same for `/v1/chat/completions`, which some routers speak only. */
function chatEvents(count: number): string[] {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: BENCH_MODEL };
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`;
  return [
    ...Array.from({ length: count - 2 }, () => chunk({ delta: { role: 'assistant', content: 'word ' } })),
    chunk({ delta: {}, finish_reason: 'stop' }),
    'data: [DONE]\n\n',
  ];
}

const MESSAGES = messageEvents(CHUNK_COUNT);
const CHAT = chatEvents(CHUNK_COUNT);

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  if (req.method !== 'POST') {
    const answer = GETS[req.url ?? ''];
    res.writeHead(answer === undefined ? 404 : 200, { 'content-length': Buffer.byteLength(answer ?? '') });
    res.end(answer ?? '');
    return;
  }
  req.resume();
  req.on('end', () => answerPost(req, res));
});

function answerPost(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const pace = Number(req.headers[PACE_HEADER] ?? 0);
  if (pace > 0) sendPaced(res, pace, Number(req.headers[CHUNKS_HEADER] ?? CHUNK_COUNT));
  else sendAtOnce(res, req.url?.startsWith('/v1/messages') === true ? MESSAGES : CHAT);
}

/** One event a turn of the event loop, so that each is a write of its own. */
function sendAtOnce(res: ServerResponse, events: readonly string[]): void {
  let at = 0;
  const next = (): void => {
    const chunk = events[at];
    at += 1;
    if (at === events.length) {
      res.end(chunk);
      return;
    }
    res.write(chunk);
    setImmediate(next);
  };
  next();
}

/** `count` numbered events, one every `paceMs`, each with the time it was sent at. */
function sendPaced(res: ServerResponse, paceMs: number, count: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    res.write(text({ n: sent, [SENT_AT_FIELD]: performance.timeOrigin + performance.now() }));
    sent += 1;
    if (sent < count) return;
    clearInterval(timer);
    res.end(event('message_stop', {}));
  }, paceMs);
  res.on('close', () => clearInterval(timer));
}

/** A port of its choice; the argument where it has to come back on the one it had. */
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
