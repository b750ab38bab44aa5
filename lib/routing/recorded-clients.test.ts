import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientName } from './client.ts';
import { sessionId } from './session-key.ts';
import { sideRequest } from './side-request.ts';
import type { ApiKind } from './types.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const recordedBody = z.looseObject({
  messages: z.unknown().optional(),
  input: z.unknown().optional(),
  tools: z.array(z.unknown()).optional(),
  metadata: z.object({ user_id: text }).optional(),
  output_config: z.looseObject({}).optional(),
  max_tokens: z.number().optional(),
  prompt_cache_key: text,
  user: text,
});
const recording = z.object({
  client: z.string(),
  version: z.string(),
  requests: z.array(
    z.object({
      seq: z.number(),
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
    }),
  ),
});

type Recorded = z.infer<typeof recording>['requests'][number];

const FOLDER = new URL('../../fixtures/clients/', import.meta.url);

function load(name: string): z.infer<typeof recording> {
  return recording.parse(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')));
}

function apiOf(path: string): ApiKind | 'count_tokens' {
  if (path.startsWith('/v1/messages/count_tokens')) return 'count_tokens';
  if (path.startsWith('/v1/messages')) return 'messages';
  if (path.startsWith('/v1/chat/completions')) return 'chat';
  return path.startsWith('/v1/responses') ? 'responses' : 'other';
}

/** A recorded request as the router sees it. */
function seen(request: Recorded) {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = recordedBody.parse(request.body);
  const path = apiOf(request.path);
  const userAgent = headers['user-agent'] ?? null;
  const id = sessionId({
    headers,
    body: {
      metadataUserId: body.metadata?.user_id ?? null,
      promptCacheKey: body.prompt_cache_key,
      user: body.user,
    },
  });
  const side = sideRequest({
    path,
    userAgent,
    headers,
    toolCount: body.tools?.length ?? null,
    hasStreamKey: 'stream' in body,
    hasOutputFormat: body.output_config !== undefined && 'format' in body.output_config,
    maxTokens: body.max_tokens ?? null,
  });
  return { seq: request.seq, headers, key: id?.value ?? null, source: id?.source ?? null, side, userAgent };
}

/** The requests with a body that one of our APIs would get. */
function conversation(name: string) {
  return load(name)
    .requests.filter((request) => request.method === 'POST' && apiOf(request.path) !== 'other')
    .map(seen);
}

/** The thread of a request by the recording's own marks, which only this test looks at together. */
function threadOf(name: string, { headers }: ReturnType<typeof seen>): string {
  const marks = ['x-claude-code-session-id', 'x-claude-code-agent-id', 'thread-id', 'session-id', 'x-session-id'];
  return [name, ...marks.map((mark) => headers[mark] ?? '')].join('|');
}

// Gemini CLI speaks an API of its own, which the router does not serve.
const NAMES = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => name !== 'id-carriers' && !name.startsWith('gemini'));

/** They send no id on any header or field: their conversations are found by their messages. */
const WITHOUT_ID = ['claude-code-router-2.0.0-in-front', 'pi-1.6.0-chat'];

describe('recorded clients', () => {
  it('are all here', () => {
    expect(NAMES).toHaveLength(14);
  });

  it.each(NAMES.filter((name) => !WITHOUT_ID.includes(name)))(
    '%s: all turns of one thread have one key, and no two threads share one',
    (name) => {
      const keysOfThread = new Map<string, Set<string | null>>();
      const threadsOfKey = new Map<string | null, Set<string>>();
      for (const request of conversation(name).filter((one) => one.side === null)) {
        const thread = threadOf(name, request);
        keysOfThread.set(thread, (keysOfThread.get(thread) ?? new Set()).add(request.key));
        threadsOfKey.set(request.key, (threadsOfKey.get(request.key) ?? new Set()).add(thread));
      }
      expect(threadsOfKey.has(null)).toBe(false);
      for (const keys of keysOfThread.values()) expect(keys.size).toBe(1);
      for (const threads of threadsOfKey.values()) expect(threads.size).toBe(1);
    },
  );

  it('share no key between recordings', () => {
    const named = NAMES.filter((name) => !WITHOUT_ID.includes(name));
    const keys = named.map((name) => new Set(conversation(name).map((request) => request.key)));
    const all = keys.flatMap((set) => [...set]);
    expect(NAMES.filter((name) => conversation(name).some((one) => one.key === null))).toEqual(WITHOUT_ID);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ['claude-code-2.0.77', ['metadata.user_id']],
    ['claude-code-2.1.332-subagents', ['x-claude-code-session-id', 'x-claude-code-agent-id']],
    ['codex-0.171.0-subagent', ['thread-id']],
    ['opencode-1.18.33-subagent', ['x-session-affinity']],
    ['pi-1.6.0-responses', ['session-id']],
    ['pi-1.6.0-chat', [null]],
  ])('%s: the key comes from %j', (name, sources) => {
    expect([...new Set(conversation(name).map((request) => request.source))]).toEqual(sources);
  });

  it.each([
    ['claude-code-2.0.77', [null, 'background', 'background', null, null]],
    ['claude-code-2.1.160-cch', [null, null]],
    ['claude-code-2.1.332-auto-mode-classifier', [null, 'classifier']],
    ['claude-code-2.1.332-hint-headers-compact', [null, null, null]],
    ['claude-code-2.1.332-interactive-startup', ['title', null, null, 'count_tokens', 'count_tokens']],
    ['claude-code-2.1.332-subagents', [null, null, null, null, null, null]],
    ['claude-code-2.1.332-tool-loop', [null, null, null, null]],
    ['claude-code-router-2.0.0-in-front', [null, null]],
    ['codex-0.171.0-responses', [null, null, null]],
    ['codex-0.171.0-subagent', [null, null, null, null]],
    ['opencode-1.18.33-openai-compatible', ['title', null, null, null]],
    ['opencode-1.18.33-subagent', [null, null, null, null]],
    ['pi-1.6.0-chat', [null, null]],
    ['pi-1.6.0-responses', [null, null]],
  ])('%s: side requests are told from turns', (name, expected) => {
    expect(conversation(name).map((request) => request.side)).toEqual(expected);
  });

  it('are recognised as side requests without the hint headers too', () => {
    const side = (name: string) =>
      load(name)
        .requests.filter((request) => request.method === 'POST')
        .map(({ headers, ...request }) => {
          const kept = Object.entries(headers).filter(([header]) => !header.toLowerCase().endsWith('request-class'));
          return seen({ ...request, headers: Object.fromEntries(kept) }).side;
        });
    expect(side('claude-code-2.1.332-auto-mode-classifier')).toEqual([null, 'classifier']);
    expect(side('claude-code-2.1.332-hint-headers-compact')).toEqual([null, null, null]);
    expect(side('claude-code-2.1.332-interactive-startup').slice(0, 3)).toEqual(['title', null, null]);
  });

  it.each([
    ['claude-code-2.0.77', 'Claude Code 2.0.77'],
    ['claude-code-2.1.332-tool-loop', 'Claude Code 2.1.332'],
    ['claude-code-router-2.0.0-in-front', 'node'],
    ['codex-0.171.0-responses', 'Codex 0.171.0'],
    ['opencode-1.18.33-subagent', 'opencode 1.18.33'],
    ['pi-1.6.0-chat', 'pi 1.6.0'],
  ])('%s is called %j', (name, expected) => {
    const names = conversation(name).map(({ userAgent, headers }) => clientName(userAgent, headers));
    expect([...new Set(names)]).toEqual([expected]);
  });
});
