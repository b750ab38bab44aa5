import type { IncomingMessage } from 'node:http';

export type BodyResult =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** The client left before its body was complete. */
  | { readonly kind: 'client_left' };

/**
 * Reads a request body of at most `maxBytes`. It is kept whole: its `model` decides where it goes, a connection that
 * died before any answer is tried once more with it, and sending it on with `content-length` leaves no room for
 * request smuggling. Reading stops at the first byte too many.
 */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  const declared = Number(req.headers['content-length']);
  if (declared > maxBytes) return Promise.resolve({ kind: 'too_large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
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
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [first] = chunks;
      finish({ kind: 'body', bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size) });
    };
    const onClose = (): void => finish({ kind: 'client_left' });
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
