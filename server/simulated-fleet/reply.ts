import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import { resetConnection } from './reset-connection.ts';

/** Events that a stream still sends before the fault that breaks it off. */
const EVENTS_BEFORE_BREAK = 3;

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** The body of a generated answer that does not stream. Faults that break a stream off break it off in the middle. */
export function sendAnswer({ fault, response }: Exchange, body: object): void {
  if (fault?.kind !== 'reset_mid_stream' && fault?.kind !== 'half_stream') {
    sendJson(response, 200, fault?.kind === 'usage_null' ? withoutUsage(body) : body);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (fault.kind === 'half_stream') response.socket?.end();
    else reset(response);
  });
}

export type EventStream = {
  /** One `data:` line, with an `event:` line before it where a name is given. */
  send(body: object, event?: string): void;
  /** `data: [DONE]`, which the OpenAI paths end with and the others do not. */
  done(): void;
  end(): void;
};

/** Sends the headers of a stream at once: vLLM does so before the request is queued. */
export function startEventStream({ fault, response }: Exchange): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const stream: EventStream = {
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
  switch (fault?.kind) {
    case 'reset_mid_stream':
      // Written bytes leave on the next tick: a comment, which clients skip, tells when they have.
      return brokenOff(stream, () => response.write(': \n\n', () => reset(response)));
    case 'half_stream':
      return brokenOff(stream, () => response.end());
    case 'usage_null':
      return { ...stream, send: (body, event) => stream.send(withoutUsage(body), event) };
    default:
      return stream;
  }
}

/** Breaks a stream off after a few events, or where a shorter one would have ended. The replica sees the client leave. */
function brokenOff(stream: EventStream, breakOff: () => void): EventStream {
  let left = EVENTS_BEFORE_BREAK;
  const stop = () => {
    if (left < 0) return;
    left = -1;
    breakOff();
  };
  return {
    send: (body, event) => {
      if (left > 0) stream.send(body, event);
      left -= left > 0 ? 1 : 0;
      if (left === 0) stop();
    },
    done: stop,
    end: stop,
  };
}

function reset({ socket }: ServerResponse): void {
  if (socket !== null) resetConnection(socket);
}

/** A body or an event with null for its usage, wherever the APIs have it. */
function withoutUsage(body: object): object {
  const blank: Record<string, unknown> = { ...body };
  if ('usage' in blank) blank.usage = null;
  for (const inner of ['message', 'response']) {
    const value = blank[inner];
    if (typeof value === 'object' && value !== null) blank[inner] = withoutUsage(value);
  }
  return blank;
}
