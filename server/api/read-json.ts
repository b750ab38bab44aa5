import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { ProblemError } from '#server/http/respond.ts';

const MAX_BYTES = 64 * 1024;

/**
 * Reads and checks the body of a call that changes something. Only `application/json` is taken: a page of another
 * origin cannot send that without a preflight, which this server never grants.
 */
export async function readJson<T>(req: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
    throw new ProblemError(415, 'Unsupported media type', 'Send the body as content-type: application/json.');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new ProblemError(413, 'Body too large', `A body of at most ${MAX_BYTES} bytes is taken.`);
    chunks.push(chunk);
  }
  const parsed = schema.safeParse(parseText(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = unknown ?? issue?.path.join('.');
  const detail = unknown === undefined ? `${field ? `${field}: ` : ''}${issue?.message}` : `unknown field ${unknown}`;
  throw new ProblemError(400, 'Invalid request', detail, field === '' ? undefined : field);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError(400, 'Invalid request', `The body is not JSON: ${(error as SyntaxError).message}`);
  }
}
