import type { ApiKind } from '#lib/routing/types.ts';

export type Endpoint = {
  readonly path: string;
  readonly api: ApiKind;
  readonly body: 'json' | 'multipart';
  /**
   * What a person is told when one URL with several ranks serves this path, where the engine ignores
   * `X-data-parallel-rank` (seen on vLLM 0.32 for /v1/responses, else read in its source up to 0.28); null where the engine honours the pin.
   */
  readonly unpinnable: string | null;
};

const ignored = (path: string): string => `the engine ignores X-data-parallel-rank on ${path} and balances it itself`;
const noReplica = (path: string): string => `${path} is answered by the engine's API server, no replica works on it`;

const json = (path: string, api: ApiKind, unpinnable: string | null): Endpoint => ({
  path,
  api,
  body: 'json',
  unpinnable,
});
const multipart = (path: string): Endpoint => ({ path, api: 'other', body: 'multipart', unpinnable: ignored(path) });

/** The paths that are forwarded without being configured. */
export const ENDPOINTS: readonly Endpoint[] = [
  json('/v1/messages', 'messages', null),
  json('/v1/messages/count_tokens', 'messages', noReplica('/v1/messages/count_tokens')),
  json('/v1/chat/completions', 'chat', null),
  json('/v1/completions', 'completions', null),
  json('/v1/responses', 'responses', ignored('/v1/responses')),
  json('/v1/embeddings', 'other', ignored('/v1/embeddings')),
  json('/v1/score', 'other', ignored('/v1/score')),
  json('/v1/rerank', 'other', ignored('/v1/rerank')),
  multipart('/v1/audio/transcriptions'),
  multipart('/v1/audio/translations'),
  json('/tokenize', 'other', noReplica('/tokenize')),
  json('/detokenize', 'other', noReplica('/detokenize')),
];

/** Paths of which the console says that one URL with ranks leaves them to the engine, though a replica does work. */
export const UNPINNED_WORK = ENDPOINTS.filter((endpoint) => endpoint.unpinnable === ignored(endpoint.path)).map(
  (endpoint) => endpoint.path,
);

export type EndpointTable = {
  /** The endpoint of an exact path; null for anything else, so that engine administration can never be reached. */
  find(path: string): Endpoint | null;
};

/** The allowlist of `POST` paths: the known ones, and those the configuration adds. */
export function createEndpointTable(extraPaths: readonly string[]): EndpointTable {
  const table = new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));
  for (const path of extraPaths) {
    if (!table.has(path)) table.set(path, json(path, 'other', ignored(path)));
  }
  return { find: (path) => table.get(path) ?? null };
}

/** The API whose error shape a path's answers have, known endpoint or not. */
export function apiOfPath(path: string): ApiKind {
  return path === '/v1/messages' || path.startsWith('/v1/messages/') ? 'messages' : 'other';
}
