import type { ServerResponse } from 'node:http';

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export type EventStream = {
  /** One `data:` line, with an `event:` line before it where a name is given. */
  send(body: object, event?: string): void;
  /** `data: [DONE]`, which the OpenAI paths end with and the others do not. */
  done(): void;
  end(): void;
};

/** Sends the headers of a stream at once: vLLM does so before the request is queued. */
export function startEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  return {
    send: (body, event) => {
      const data = `data: ${JSON.stringify(body)}\n\n`;
      response.write(event === undefined ? data : `event: ${event}\n${data}`);
    },
    done: () => {
      response.write('data: [DONE]\n\n');
    },
    end: () => {
      response.end();
    },
  };
}
