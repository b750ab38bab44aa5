import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free port of the loopback that answers each path as a test scripts it; 404 elsewhere. */
export type ScriptedEngine = {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly IncomingMessage[];
  /** From now on. A text is a 200 with that body, a number an empty answer of that status. */
  answer(path: string, answer: string | number | Answer): void;
  /** Requests to a path so far. */
  count(path: string): number;
  close(): Promise<void>;
};

/** `port` 0 takes a free one; another is for coming back after `close`. */
export async function startScriptedEngine(port = 0): Promise<ScriptedEngine> {
  const answers = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end('{"detail":"Not Found"}');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const engine: ScriptedEngine = {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    answer(path, answer) {
      answers.set(path, (request, response) => {
        if (typeof answer === 'function') answer(request, response);
        else if (typeof answer === 'number') response.writeHead(answer).end();
        else response.end(answer);
      });
    },
    count: (path) => requests.filter(({ url }) => url === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return engine;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

/** The answers of a vLLM with one rank. */
export function answerAsVllm(engine: ScriptedEngine, promptTokens: number): void {
  engine.answer('/health', 200);
  engine.answer('/version', '{"version":"0.28.0"}');
  engine.answer(
    '/v1/models',
    '{"object":"list","data":[{"id":"qwen","object":"model","max_model_len":32768,"parent":null}]}',
  );
  engine.answer(
    '/metrics',
    `vllm:num_requests_running{engine="0",model_name="qwen"} 1.0\nvllm:prompt_tokens_total{engine="0",model_name="qwen"} ${promptTokens}\n`,
  );
}
