import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, type TestWarden } from '#server/warden-for-tests.ts';
import { killGroup } from './engine.ts';
import { API_KEY } from './global-setup.ts';
import { groupOf } from './process-group.ts';
import { growth, longText, MODEL, newSession, readMetrics, turn, userSays } from './product.ts';

const RESTART_MS = 15 * 60_000;
const urls = inject('twoServers');
let warden: TestWarden;
beforeAll(async () => {
  const fleets = urls.map((url) => ({ url }));
  warden = await startTestWarden({ fleets, model: { ...MODEL, api_key: API_KEY } });
});
afterAll(() => warden.close());

const readBoth = () => Promise.all(urls.map(readMetrics));

describe('two servers of one replica each, with a key', () => {
  it('are found, with nothing missing', async () => {
    const { engine, replicas, health } = await warden.routing();
    expect({ health, not_reported: engine.not_reported }).toEqual({ health: 'up', not_reported: [] });
    expect(replicas.map(({ url, rank, health }) => ({ url, rank, health }))).toEqual(
      urls.map((url) => ({ url, rank: null, health: 'up' })),
    );
  });

  it('tell when their process started', async () => {
    for (const { processStartTime } of await readBoth()) expect(processStartTime).toBeGreaterThan(1.7e9);
  });

  it('serve a conversation from the cache of its home on every endpoint, responses too', async () => {
    const session = newSession();
    const text = longText(session, 60);
    const before = await readBoth();
    const first = await turn(warden, session, { messages: userSays(text) });
    expect(first).toMatchObject({ status: 200, decision: 'placed' });
    const home = first.replica ?? -1;
    const requests: [string, object][] = [
      ['/v1/chat/completions', { messages: userSays(text) }],
      ['/v1/messages', { messages: userSays(text) }],
      ['/v1/responses', { input: text, messages: undefined, max_tokens: undefined, max_output_tokens: 2 }],
    ];
    for (const [path, body] of requests) {
      expect(await turn(warden, session, body, path)).toMatchObject({ status: 200, decision: 'sticky', replica: home });
    }
    const after = await readBoth();
    const grown = (server: number, counter: 'cachedTokens' | 'promptTokens'): number => {
      const [start, end] = [before[server], after[server]];
      return start === undefined || end === undefined ? Number.NaN : (growth(start, end, counter)[0] ?? Number.NaN);
    };
    expect(grown(home, 'cachedTokens')).toBeGreaterThan(300);
    expect(grown(1 - home, 'promptTokens')).toBe(0);
  });

  it('say who they are to nobody without the key', async () => {
    const stranger = await startTestWarden({ fleets: urls.map((url) => ({ url })), model: MODEL });
    try {
      const { health, engine } = await stranger.routing();
      expect(health).toBe('down');
      expect(engine.error).toContain('wants an API key');
    } finally {
      await stranger.close();
    }
  });

  it(
    'fail over while the home is down, and do not go on as if the home that is back had kept its cache',
    async () => {
      const session = newSession();
      const home = (await turn(warden, session)).replica ?? -1;
      killGroup(groupOf(urls[home] ?? ''));
      // A connection that the dying process still took is reset: 502, for the client to try again. Never silence.
      const away = await eventually(async () => {
        const answer = await turn(warden, session);
        expect(answer.status === 200 || answer.status === 502).toBe(true);
        expect(answer).toMatchObject({ status: 200, decision: 'failed_over' });
        return answer;
      }, 30_000);
      expect(away.replica).toBe(1 - home);
      await eventually(async () => expect((await warden.routing()).replicas[home]?.health).toBe('down'), 30_000);
      expect((await warden.routing()).health).toBe('degraded');
      await eventually(async () => expect((await warden.routing()).health).toBe('up'), RESTART_MS);
      await eventually(async () => expect((await warden.routing()).engine.restarted_at).not.toBeNull());
      // Either it lives with its stand-in by now, or it is placed anew: nobody calls the cold cache its home.
      const back = await turn(warden, session);
      expect(back.decision === 'placed' || back.replica === away.replica, JSON.stringify(back)).toBe(true);
    },
    RESTART_MS + 60_000,
  );
});
