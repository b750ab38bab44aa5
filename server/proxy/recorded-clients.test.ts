import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEndpointTable } from '#lib/engine/endpoints.ts';
import { readFacts } from './request-facts.ts';
import { sessionKey, sideReason } from './session.ts';

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

/** Every request that goes to a forwarded path, taken apart from the bytes as the proxy does. */
function requestsOf(file: string) {
  const { requests } = recording.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return requests.flatMap(({ path, headers: recorded, body }) => {
    const endpoint = endpoints.find(path.split('?')[0] ?? path);
    if (endpoint === null || body === null) return [];
    const headers = Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name.toLowerCase(), value]));
    const read = readFacts(Buffer.from(JSON.stringify(body)), endpoint.api);
    if (!read.ok) throw new Error(`${file}: ${read.message}`);
    const key = sessionKey('model', endpoint, headers, read.facts, []);
    return [
      {
        endpoint,
        thread: threadOf(headers, body),
        key,
        side: sideReason(endpoint, headers, read.facts),
        model: read.facts.model,
        body,
      },
    ];
  });
}

describe.each(files)('the bytes of %s', (file) => {
  const requests = requestsOf(file);

  it('give each thread one key, and no two threads the same', () => {
    const keys = new Map<string, Set<string>>();
    for (const { thread, key, side } of requests) {
      if (side === null) keys.set(thread, (keys.get(thread) ?? new Set()).add(key?.hash ?? 'none'));
    }
    for (const [thread, hashes] of keys) expect(hashes.size, thread).toBe(1);
    const all = [...keys.values()].flatMap((hashes) => [...hashes]);
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain('none');
  });

  it('give the model and nothing else than what JSON.parse gives', () => {
    for (const { model, body } of requests) expect(model).toBe(body.model);
  });
});

describe('a key', () => {
  it('differs by model and by the client’s own key, and never contains the id', () => {
    const [request] = requestsOf('claude-code-2.1.332-tool-loop.json');
    if (request === undefined) throw new Error('no request recorded');
    const read = readFacts(Buffer.from(JSON.stringify(request.body)), 'messages');
    if (!read.ok) throw new Error(read.message);
    const id = '2660a6a9-fe7c-4f70-a238-8ac32c59724c';
    const key = (model: string, authorization: string) =>
      sessionKey(model, request.endpoint, { 'x-claude-code-session-id': id, authorization }, read.facts, [])?.hash;
    const hashes = [key('a', 'Bearer 1'), key('b', 'Bearer 1'), key('a', 'Bearer 2')];
    expect(new Set(hashes).size).toBe(3);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(key('a', 'Bearer 1')).toBe(hashes[0]);
  });
});
