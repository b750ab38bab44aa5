import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEndpointTable } from '#lib/engine/endpoints.ts';
import { createConversations } from './conversations.ts';
import { readFacts } from './request-facts.ts';
import { sessionKey, sessionScope, sideReason } from './session.ts';

const folder = new URL('../../fixtures/clients/', import.meta.url);
const recording = z.object({
  client: z.string(),
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});

/** What tells the threads of a recording apart by its own ids: the id of the agent or thread, else of the session. */
function threadOf(headers: Readonly<Record<string, string>>, body: Readonly<Record<string, unknown>>): string {
  const names = ['x-claude-code-agent-id', 'thread-id', 'x-session-id', 'session-id', 'x-claude-code-session-id'];
  const id = names.map((name) => headers[name]).find((value) => value !== undefined);
  return id ?? JSON.stringify(body.metadata ?? null);
}

const endpoints = createEndpointTable([]);
const files = readdirSync(folder).filter((name) => name !== 'id-carriers.json');

type Recorded = {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
};

function requestsOf(file: string): Recorded[] {
  const { requests } = recording.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return requests.flatMap(({ path, headers, body }) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return body === null ? [] : [{ path: path.split('?')[0] ?? path, headers: lower, body }];
  });
}

/** Takes the requests apart from their bytes, one after the other, as the proxy does; side requests left out. */
function turnsOf(requests: readonly Recorded[]) {
  const conversations = createConversations();
  const known = new Set<string>();
  return requests.flatMap(({ path, headers, body }, now) => {
    const endpoint = endpoints.find(path);
    if (endpoint === null) return [];
    const bytes = Buffer.from(JSON.stringify(body));
    const read = readFacts(bytes, endpoint.api);
    if (!read.ok) throw new Error(read.message);
    expect(read.facts.model).toBe(body.model);
    if (sideReason(endpoint, headers, read.facts) !== null) return [];
    const scope = sessionScope('model', headers);
    const id = sessionKey(scope, headers, read.facts, []);
    const { spans } = read.facts;
    const isKnown = id !== null && known.has(id.hash);
    const turn = conversations.begin({ body: bytes, api: endpoint.api, spans, scope, id, isKnown, now });
    turn.placed();
    turn.ended(true, false);
    if (turn.key !== null) known.add(turn.key.hash);
    return [{ thread: threadOf(headers, body), key: turn.key }];
  });
}

/** What a recording says of who is who, taken away. */
function withoutIds({ path, headers, body }: Recorded): Recorded {
  const { metadata: _metadata, prompt_cache_key: _key, user: _user, ...rest } = body;
  const kept = Object.entries(headers).filter(
    ([name]) => !/session|thread|agent-id|request-id|affinity|window/.test(name),
  );
  return { path, headers: Object.fromEntries(kept), body: rest };
}

describe.each(files)('the bytes of %s', (file) => {
  it('give each thread one key, and no two threads the same', () => {
    const keys = new Map<string, Set<string>>();
    for (const { thread, key } of turnsOf(requestsOf(file))) {
      keys.set(thread, (keys.get(thread) ?? new Set()).add(key?.hash ?? 'none'));
    }
    for (const [thread, hashes] of keys) expect(hashes.size, thread).toBe(1);
    const all = [...keys.values()].flatMap((hashes) => [...hashes]);
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain('none');
  });

  it('give the same threads when all ids are taken away', () => {
    const named = turnsOf(requestsOf(file));
    // Claude Code's /compact makes a new conversation of the old one's summary: without an id it is a relative.
    if (file.includes('compact')) return;
    const found = turnsOf(requestsOf(file).map(withoutIds));
    const same = (turns: typeof named): string =>
      turns.map(({ key }) => turns.findIndex((other) => other.key?.hash === key?.hash)).join();
    if (file.includes('2.0.77')) return;
    expect(same(found)).toBe(same(named));
  });
});

describe('a key', () => {
  it('differs by model and by the client’s own key, and never contains the id', () => {
    const [request] = requestsOf('claude-code-2.1.332-tool-loop.json');
    if (request === undefined) throw new Error('no request recorded');
    const read = readFacts(Buffer.from(JSON.stringify(request.body)), 'messages');
    if (!read.ok) throw new Error(read.message);
    const id = '2660a6a9-fe7c-4f70-a238-8ac32c59724c';
    const key = (model: string, authorization: string) => {
      const headers = { 'x-claude-code-session-id': id, authorization };
      return sessionKey(sessionScope(model, headers), headers, read.facts, [])?.hash;
    };
    const hashes = [key('a', 'Bearer 1'), key('b', 'Bearer 1'), key('a', 'Bearer 2')];
    expect(new Set(hashes).size).toBe(3);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(key('a', 'Bearer 1')).toBe(hashes[0]);
  });
});
