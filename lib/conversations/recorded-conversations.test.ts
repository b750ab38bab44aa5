import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sideRequest } from '#lib/routing/side-request.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { type ConversationIndex, createConversationIndex, type FoundConversation } from './conversation-index.ts';
import { applySplices, pinBillingLine } from './prefix-hygiene.ts';
import { readMarks } from './prompt-change.ts';
import { bytesOf, chainOf, spansOf } from './test-prompts.ts';

const FOLDER = new URL('../../fixtures/clients/', import.meta.url);
const THREAD_HEADERS = [
  'x-claude-code-session-id',
  'x-claude-code-agent-id',
  'thread-id',
  'session-id',
  'x-session-id',
];

const recording = z.object({
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
    }),
  ),
});
const recordedBody = z.looseObject({
  tools: z.array(z.unknown()).optional(),
  output_config: z.looseObject({ format: z.unknown().optional() }).optional(),
  max_tokens: z.number().optional(),
});

/** A turn as bytes. `thread`: by the recording's own ids, which the code under test does not see. */
type Turn = { readonly thread: string; readonly api: ApiKind; readonly body: Uint8Array };

// Gemini CLI speaks an API of its own, which the router does not serve.
const NAMES = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => name !== 'id-carriers' && !name.startsWith('gemini'));

/** The requests of a recording that belong to a conversation, in their order. */
function turnsOf(name: string): Turn[] {
  const { requests } = recording.parse(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')));
  return requests.flatMap(({ method, path, headers: given, body }) => {
    const api = apiOf(path);
    const headers = Object.fromEntries(Object.entries(given).map(([header, value]) => [header.toLowerCase(), value]));
    if (method !== 'POST' || api === null || isSide(api, headers, body)) return [];
    const thread = [name, ...THREAD_HEADERS.map((header) => headers[header] ?? '')].join('|');
    return [{ thread, api, body: bytesOf(body) }];
  });
}

function apiOf(path: string): ApiKind | null {
  if (path.startsWith('/v1/messages/count_tokens')) return null;
  if (path.startsWith('/v1/messages')) return 'messages';
  if (path.startsWith('/v1/chat/completions')) return 'chat';
  return path.startsWith('/v1/responses') ? 'responses' : null;
}

function isSide(path: ApiKind, headers: Readonly<Record<string, string>>, body: unknown): boolean {
  const facts = recordedBody.parse(body);
  const reason = sideRequest({
    path,
    userAgent: headers['user-agent'] ?? null,
    headers,
    toolCount: facts.tools?.length ?? null,
    hasStreamKey: 'stream' in facts,
    hasOutputFormat: facts.output_config?.format !== undefined,
    maxTokens: facts.max_tokens ?? null,
  });
  return reason !== null;
}

/** Plays turns through an index as a router would, and keeps the home of each conversation that it finds. */
class Player {
  readonly #index: ConversationIndex = createConversationIndex();
  readonly #homeOf = new Map<string, string>();
  readonly homesOfThread = new Map<string, string[]>();
  readonly threadsOfConversation = new Map<string, Set<string>>();
  #now = 0;

  play({ thread, api, body }: Turn, scope = 'model/client'): FoundConversation {
    this.#now += 1000;
    const chain = chainOf(body, api);
    const marks = readMarks(body, spansOf(body, api), api, chain);
    const request = { scope, chain, marks, now: this.#now };
    const found = this.#index.find(request);
    const { conversation, relative } = found;
    const home = this.#homeOf.get(conversation) ?? this.#homeOf.get(relative?.conversation ?? '') ?? conversation;
    this.#homeOf.set(conversation, home);
    this.#index.remember(request, conversation);
    this.#index.ended(conversation, true);
    this.homesOfThread.set(thread, [...(this.homesOfThread.get(thread) ?? []), home]);
    const threads = this.threadsOfConversation.get(conversation) ?? new Set();
    this.threadsOfConversation.set(conversation, threads.add(thread));
    return found;
  }

  continuing(): { turns: number; atHome: number } {
    const later = [...this.homesOfThread.values()].flatMap(([first, ...rest]) => rest.map((home) => home === first));
    return { turns: later.length, atHome: later.filter(Boolean).length };
  }
}

describe('recorded conversations without their ids', () => {
  it('are found again, each by itself', () => {
    let turns = 0;
    let atHome = 0;
    for (const name of NAMES) {
      const player = new Player();
      for (const turn of turnsOf(name)) player.play(turn);
      for (const threads of player.threadsOfConversation.values()) expect(threads.size).toBe(1);
      turns += player.continuing().turns;
      atHome += player.continuing().atHome;
    }
    expect(turns).toBe(23);
    expect(atHome / turns).toBeGreaterThanOrEqual(0.95);
  });

  it('are found again among all others of the same client key, whatever comes in between', () => {
    const player = new Player();
    const queues = NAMES.map(turnsOf);
    for (let round = 0; queues.some((queue) => queue.length > round); round += 1) {
      for (const queue of queues) {
        const turn = queue[round];
        if (turn !== undefined) player.play(turn);
      }
    }
    for (const [conversation, threads] of player.threadsOfConversation) {
      expect([conversation, threads.size]).toEqual([conversation, 1]);
    }
    const { turns, atHome } = player.continuing();
    expect(atHome / turns).toBeGreaterThanOrEqual(0.95);
  });

  it('are found again one after the other too, when each has left its messages behind', () => {
    const player = new Player();
    for (const turn of NAMES.flatMap(turnsOf)) player.play(turn);
    for (const threads of player.threadsOfConversation.values()) expect(threads.size).toBe(1);
    const { turns, atHome } = player.continuing();
    expect(atHome / turns).toBeGreaterThanOrEqual(0.95);
  });

  it('do not attract the same conversation of another user, turn by turn', () => {
    for (const name of NAMES) {
      const player = new Player();
      for (const turn of turnsOf(name)) {
        for (const scope of ['model/one', 'model/other']) player.play({ ...turn, thread: turn.thread + scope }, scope);
      }
      for (const threads of player.threadsOfConversation.values()) expect(threads.size).toBe(1);
      const homesOf = (user: string) =>
        [...player.homesOfThread].filter(([thread]) => thread.endsWith(user)).flatMap(([, homes]) => homes);
      const others = new Set(homesOf('/other'));
      expect(homesOf('/one').filter((home) => others.has(home))).toEqual([]);
    }
  });

  it('keep their subagents apart, which only share a system prompt, tools and the client’s preamble', () => {
    for (const name of ['claude-code-2.1.332-subagents', 'codex-0.171.0-subagent', 'opencode-1.18.33-subagent']) {
      const player = new Player();
      const found = turnsOf(name).map((turn) => player.play(turn));
      expect(found.filter(({ kind }) => kind === 'forked')).toEqual([]);
      expect(found.filter(({ kind }) => kind === 'new').length).toBe(player.homesOfThread.size);
    }
  });

  it('go on after a client has dropped a reminder from their first message, as Qwen Code does', () => {
    const turns = turnsOf('opencode-1.18.33-openai-compatible');
    const player = new Player();
    const found = turns.map((turn, at) => player.play(at === turns.length - 1 ? turn : withReminder(turn)));
    expect(found.map(({ kind }) => kind)).toEqual(['new', 'continues', 'continues']);
    expect(player.continuing()).toEqual({ turns: 2, atHome: 2 });
  });

  it('go on after a compaction where they were', () => {
    const player = new Player();
    const found = turnsOf('claude-code-2.1.332-hint-headers-compact').map((turn) => player.play(turn));
    expect(found.map(({ kind }) => kind)).toEqual(['new', 'continues', 'forked']);
    expect(found[2]?.relative?.conversation).toBe(found[0]?.conversation);
  });
});

/** The turn with a reminder put before the first words of the user. */
function withReminder(turn: Turn): Turn {
  const chat = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });
  const { messages, ...rest } = chat.parse(JSON.parse(new TextDecoder().decode(turn.body)));
  const first = messages.findIndex(({ role }) => role === 'user');
  const reminded = messages.map((message, at) =>
    at === first
      ? { ...message, content: `<reminder>Today is Monday.</reminder> ${String(message.content)}` }
      : message,
  );
  return { ...turn, body: bytesOf({ ...rest, messages: reminded }) };
}

describe('the billing line in recordings', () => {
  const marksOf = ({ body, api }: Turn) => readMarks(body, spansOf(body, api), api, chainOf(body, api));
  const pinned = (turn: Turn): Turn => {
    const spans = spansOf(turn.body, turn.api);
    return { ...turn, body: applySplices(turn.body, pinBillingLine(turn.body, spans, turn.api)) };
  };
  /** What stands in front of the messages in the prompt that the engine sees. */
  const systemOf = ({ body, api }: Turn): unknown => {
    const parsed = z.looseObject({ system: z.unknown().optional(), messages: z.array(z.unknown()) });
    const { system, messages } = parsed.parse(JSON.parse(new TextDecoder().decode(body)));
    return api === 'chat' ? messages[0] : system;
  };

  it('differs between two turns of a version that signs each request, and is the same once pinned', () => {
    const turns = turnsOf('claude-code-2.1.160-cch');
    expect(systemOf(turns[0] ?? fail())).not.toEqual(systemOf(turns[1] ?? fail()));
    const [first, second] = turns.map(pinned);
    expect(systemOf(first ?? fail())).toEqual(systemOf(second ?? fail()));
    const [before, now] = turns.map(marksOf);
    expect(before?.firstBlock).not.toBe(now?.firstBlock);
    expect(before).toMatchObject({ system: now?.system, tools: now?.tools });
  });

  it('is pinned behind a gateway as well', () => {
    const turns = turnsOf('claude-code-router-2.0.0-in-front');
    const [first, second] = turns.map(pinned);
    expect(systemOf(first ?? fail())).toEqual(systemOf(second ?? fail()));
    expect(new TextDecoder().decode(first?.body)).not.toContain('cc_version');
  });

  it('is all that changes', () => {
    for (const turn of NAMES.flatMap(turnsOf)) {
      const text = new TextDecoder().decode(turn.body);
      const expected = text.replace(/x-anthropic-billing-header:[^"]*/, 'x-anthropic-billing-header: pinned');
      expect(new TextDecoder().decode(pinned(turn).body)).toBe(expected);
    }
  });
});

function fail(): never {
  throw new Error('the recording has too few turns');
}
