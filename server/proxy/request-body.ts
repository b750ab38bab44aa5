import type { IncomingMessage } from 'node:http';

export type BodyResult =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** The client left before its body was complete. */
  | { readonly kind: 'client_left' };

/** Memory is taken at once for a declared length up to here; beyond, only as the bytes come. */
const MAX_DECLARED_BYTES = 4 * 1024 * 1024;

/**
 * Reads a request body of at most `maxBytes`. It is kept whole: its `model` decides where it goes, a connection that
 * died before any answer is tried once more with it, and sending it on with `content-length` leaves no room for
 * request smuggling. Reading stops at the first byte too many.
 */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  const declared = Number(req.headers['content-length']);
  if (declared > maxBytes) return Promise.resolve({ kind: 'too_large' });
  return new Promise((resolve) => {
    const collected = declared <= MAX_DECLARED_BYTES ? collectInto(declared) : collectList();
    let size = 0;
    const finish = (result: BodyResult): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        req.pause();
        finish({ kind: 'too_large' });
        return;
      }
      collected.add(chunk);
    };
    const onEnd = (): void => finish({ kind: 'body', bytes: collected.whole() });
    const onClose = (): void => finish({ kind: 'client_left' });
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

type Collected = { add(chunk: Buffer): void; whole(): Buffer };

/**
 * Chunks of 64 KB that are kept until the body is complete outlive the young generation, and what is in the old one
 * takes a collection of the whole heap to be freed: copied at once they cost a third less at 1 MB a body.
 */
function collectInto(length: number): Collected {
  // Node's HTTP parser holds a request to its content-length.
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  return {
    add(chunk) {
      at += chunk.copy(whole, at);
    },
    whole: () => whole.subarray(0, at),
  };
}

function collectList(): Collected {
  const chunks: Buffer[] = [];
  return { add: (chunk) => void chunks.push(chunk), whole: () => Buffer.concat(chunks) };
}
