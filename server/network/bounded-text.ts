import type { Dispatcher } from 'undici';

/** The whole of an answer as text; null, and the connection closed, where it has more than `mostBytes`. */
export async function boundedText(body: Dispatcher.ResponseData['body'], mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('undici hands out buffers');
    size += chunk.length;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
