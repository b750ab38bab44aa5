import type { Exchange } from './exchange.ts';
import { sendJson } from './reply.ts';
import { randomId } from './response-id.ts';

/** `GET /v1/models`. */
export function listModels({ engine, response }: Exchange): void {
  const { servedModelName, profile } = engine.settings;
  const created = Math.floor(Date.now() / 1000);
  sendJson(response, 200, {
    object: 'list',
    data: [
      {
        id: servedModelName,
        object: 'model',
        created,
        owned_by: 'vllm',
        root: servedModelName,
        parent: null,
        max_model_len: profile.maxModelLen,
        permission: [
          {
            id: `modelperm-${randomId()}`,
            object: 'model_permission',
            created,
            allow_create_engine: false,
            allow_sampling: true,
            allow_logprobs: true,
            allow_search_indices: false,
            allow_view: true,
            allow_fine_tuning: false,
            organization: '*',
            group: null,
            is_blocking: false,
          },
        ],
      },
    ],
  });
}
