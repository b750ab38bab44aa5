import type { ConnectFacts } from '#lib/contract/connect.ts';
import type { ClientId } from './recipes.ts';

/**
 * Tokens of a client's first request, and the least context to work in. Of recorded first requests: Claude Code up to
 * 104 KB, Codex 41 KB, opencode 31 KB, at about four bytes a token.
 */
const NEEDS: Readonly<Partial<Record<ClientId, { readonly first: number; readonly least: number }>>> = {
  'claude-code': { first: 26_000, least: 65_536 },
  codex: { first: 10_000, least: 32_768 },
  opencode: { first: 8_000, least: 32_768 },
};

type ContextWarning = { readonly has: number; readonly first: number; readonly least: number };

/** Where the context of a model is too small for a client; null where it is not, or is not known. */
export function contextWarning(client: ClientId, maxModelLen: number | null): ContextWarning | null {
  const needs = NEEDS[client];
  if (needs === undefined || maxModelLen === null || maxModelLen >= needs.least) return null;
  return { has: maxModelLen, ...needs };
}

type ClientWarning = {
  readonly client: string;
  readonly code: 'linePerRequest' | 'linePerConversation' | 'changedPrefix';
  readonly changed: string;
  readonly turns: number;
};

/** Fewer may be compactions. */
const CHANGED_OFTEN = 3;

/** The versions of a client that came lately and spoil their own prefix, known for it or seen doing it. */
export function clientWarnings(client: ClientId, facts: ConnectFacts): ClientWarning[] {
  return facts.clients.flatMap(({ client: name, troubles, changed_prefix: changed, turns }) => {
    if (tabOf(name) !== client) return [];
    const warning = (code: ClientWarning['code']): ClientWarning => ({
      client: name,
      code,
      changed: String(changed),
      turns,
    });
    if (!facts.pins_billing_line && troubles.includes('line_per_request')) return [warning('linePerRequest')];
    if (changed >= CHANGED_OFTEN && 4 * changed >= turns) return [warning('changedPrefix')];
    if (!facts.pins_billing_line && troubles.includes('line_per_conversation')) return [warning('linePerConversation')];
    return [];
  });
}

/** Whose instructions a client follows, by the name that the router gives it. */
function tabOf(name: string): ClientId | null {
  if (name.startsWith('Claude Code')) return 'claude-code';
  if (name.startsWith('Codex')) return 'codex';
  if (name.startsWith('opencode')) return 'opencode';
  if (name === 'OpenAI SDK') return 'openai-sdk';
  return name === 'Anthropic SDK' ? 'anthropic-sdk' : null;
}
