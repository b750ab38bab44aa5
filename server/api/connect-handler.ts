import type { ConnectFacts } from '#lib/contract/connect.ts';
import { prefixTroubles } from '#lib/conversations/client-versions.ts';
import type { RequestRow } from '#server/store/store.ts';
import type { ApiCall } from './handlers.ts';
import { modelOf } from './parameters.ts';

const LAST_REQUESTS = 300;
const DAY_MS = 86_400_000;

/** A name that Claude Code asks for in the background, whatever model its user has chosen. */
const A_CLAUDE_NAME = 'claude-haiku-4-5-20251001';

/** Misses that the client made itself, by changing what stands in front of the conversation. */
const OWN_MISSES: readonly string[] = ['first_block', 'system_prompt', 'tools', 'system_message', 'first_message'];

/** What a client of this model has to know, and which clients came in the last day. */
export async function getConnectFacts(call: ApiCall): Promise<ConnectFacts> {
  const { store, registry, access, now } = call.context;
  const model = modelOf(call);
  const since = now() - DAY_MS;
  const rows = (await store.requests(model.name, LAST_REQUESTS)).filter(({ finishedAt }) => finishedAt >= since);
  return {
    model: model.name,
    max_model_len: model.maxModelLen,
    key_required: access.areKeysRequired(),
    takes_claude_names: registry.find(A_CLAUDE_NAME) === model,
    pins_billing_line: model.config.pin_billing_line,
    clients: clientsOf(rows),
  };
}

/** `rows`: newest first. */
function clientsOf(rows: readonly RequestRow[]): ConnectFacts['clients'] {
  const clients = new Map<string, ConnectFacts['clients'][number]>();
  for (const { client, finishedAt, decision, miss } of rows) {
    if (client === null) continue;
    const known = clients.get(client) ?? {
      client,
      last_seen: new Date(finishedAt).toISOString(),
      troubles: prefixTroubles(client),
      changed_prefix: 0,
      turns: 0,
    };
    const isTurn = decision !== 'balanced';
    clients.set(client, {
      ...known,
      turns: known.turns + (isTurn ? 1 : 0),
      changed_prefix: known.changed_prefix + (miss !== null && OWN_MISSES.includes(miss.code) ? 1 : 0),
    });
  }
  return [...clients.values()];
}
