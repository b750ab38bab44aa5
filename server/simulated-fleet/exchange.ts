import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { EngineProcess } from './engine-process.ts';
import type { Fault } from './faults.ts';
import { schemaError, unknownModel } from './refusal.ts';

/** One request being answered. */
export type Exchange = {
  readonly engine: EngineProcess;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The API-server process that accepted the connection. */
  readonly apiServer: number;
  /** What a test asked to go wrong with this request. */
  readonly fault: Fault | null;
};

/** Reads a JSON body and parses it with a schema; throws a refusal in the framework's words. */
export async function readBody<T>(exchange: Exchange, schema: z.ZodType<T>): Promise<T> {
  const { request } = exchange;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw schemaError("Unsupported Media Type: Only 'application/json' is allowed");
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const place = (issue: (typeof issues)[number]) => ['body', ...issue.path].join('.');
  const lines = issues.map(
    (issue) => `  {'type': '${issue.code}', 'loc': '${place(issue)}', 'msg': '${issue.message}'}`,
  );
  const count = `${issues.length} validation error${issues.length === 1 ? '' : 's'}`;
  throw schemaError(`${count}:\n${lines.join('\n')}`, issues[0] === undefined ? null : place(issues[0]));
}

/** vLLM takes a request without a model for its own. */
export function checkModel(exchange: Exchange, model: string | null | undefined): void {
  const { servedModelName } = exchange.engine.settings;
  if (model !== undefined && model !== null && model !== servedModelName) throw unknownModel(model);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw schemaError(
      `1 validation error:\n  {'type': 'json_invalid', 'loc': 'body.0', 'msg': 'JSON decode error', 'ctx': {'error': '${reason}'}}`,
      'body.0',
    );
  }
}
