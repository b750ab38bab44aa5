import type { ServerResponse } from 'node:http';

/** Bodies as small as an event are framed by copying; larger ones are not worth the copy. */
const MAX_COPY_BYTES = 8 * 1024;
const LINE_END = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * Writes an answer as its bytes arrive. What comes in one turn of the event loop leaves in one write, the head with
 * it, and chunks are framed here: Node does both as well, but with four writes and a callback for every event of a
 * stream, which was a fifth of what a request cost.
 */
export type Answer = {
  /** `isStream`: the head is sent at once and not with the first bytes, for which it may be a long wait. */
  head(status: number, headers: Record<string, string | string[]>, isStream: boolean): void;
  /** False: wait for the response's `drain`. */
  write(bytes: Uint8Array): boolean;
  end(): void;
};

export function createAnswer(res: ServerResponse): Answer {
  let framesChunks = false;
  let isCorked = false;
  let flushesHead = false;

  const uncork = (): void => {
    isCorked = false;
    if (flushesHead) res.flushHeaders();
    flushesHead = false;
    res.uncork();
  };
  const cork = (): void => {
    if (isCorked) return;
    isCorked = true;
    res.cork();
    process.nextTick(uncork);
  };

  return {
    head(status, headers, isStream) {
      res.writeHead(status, headers);
      framesChunks = res.chunkedEncoding;
      if (framesChunks) res.chunkedEncoding = false;
      if (!isStream) return;
      flushesHead = true;
      cork();
    },
    write(bytes) {
      flushesHead = false;
      cork();
      if (!framesChunks) res.write(bytes);
      else if (bytes.length <= MAX_COPY_BYTES) res.write(framed(bytes));
      else {
        res.write(bytes.length.toString(16) + LINE_END, 'latin1');
        res.write(bytes);
        res.write(LINE_END, 'latin1');
      }
      return !res.writableNeedDrain;
    },
    end() {
      flushesHead = false;
      if (framesChunks) res.end(LAST_CHUNK, 'latin1');
      else res.end();
    },
  };
}

function framed(bytes: Uint8Array): Buffer {
  const size = bytes.length.toString(16) + LINE_END;
  const frame = Buffer.allocUnsafe(size.length + bytes.length + LINE_END.length);
  frame.write(size, 0, 'latin1');
  frame.set(bytes, size.length);
  frame[frame.length - 2] = 0x0d;
  frame[frame.length - 1] = 0x0a;
  return frame;
}
