import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ModelRuntime } from '#server/router/model-runtime.ts';

/**
 * `GET /v1/models`: what the router serves, by the names that clients may ask for (globs are left out: they are no
 * names). In Anthropic's shape where the request carries `anthropic-version`, else in OpenAI's.
 */
export function sendModelList(
  req: IncomingMessage,
  res: ServerResponse,
  models: readonly ModelRuntime[],
  since: number,
): void {
  const listed = models.flatMap((model) =>
    [model.name, ...model.aliases.filter((alias) => !/[*?]/.test(alias))].map((id) => ({ id, model })),
  );
  const value = req.headers['anthropic-version'] === undefined ? openai(listed, since) : anthropic(listed, since);
  const body = JSON.stringify(value);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(req.method === 'HEAD' ? undefined : body);
}

type Listed = readonly { readonly id: string; readonly model: ModelRuntime }[];

function openai(listed: Listed, since: number): object {
  return {
    object: 'list',
    data: listed.map(({ id, model }) => ({
      id,
      object: 'model',
      created: Math.floor(since / 1000),
      owned_by: 'vllm',
      root: model.servedModelName,
      max_model_len: model.maxModelLen,
    })),
  };
}

function anthropic(listed: Listed, since: number): object {
  return {
    data: listed.map(({ id }) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: new Date(since).toISOString(),
    })),
    has_more: false,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
  };
}
