import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { alertList } from '#lib/contract/alerts.ts';
import { fleetFigures, fleetState, OWN_FIGURES_PATH, ownFigures, type WardenFigures } from '#lib/contract/fleet.ts';
import { decisionSeries, errorSeries, latencySeries, tokenSeries } from '#lib/contract/series.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { createFellowProofs } from './access/fellow-proofs.ts';
import { type Browser, browser, makeKey, PASSWORD, signIn } from './access-fixtures-for-tests.ts';
import { ABOUT_KEY } from './fleet/shared-keys.ts';
import { readSharedUrl } from './fleet/shared-url.ts';
import { createValkeyClient } from './fleet/valkey-client.ts';
import { createVault, type Vault } from './fleet/vault.ts';
import { allSay, startFleetWarden } from './fleet-access-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import {
  eventually,
  startTestWarden,
  TEST_MODEL,
  type TestWarden,
  type TestWardenOptions,
} from './warden-for-tests.ts';
import { startWardenProcess } from './warden-process-for-tests.ts';

/** Longer than what is read is kept, than a member is waited for, and than these machines are busy. */
const WITHIN_MS = 20_000;
const OTHER_MODEL = 'another/model';

let redis: TestRedis;
let engine: SimulatedFleet;
beforeAll(async () => {
  engine = await startSimulatedFleet({ replicas: 2, speed: 200 });
});
afterAll(() => engine.close());

async function get<S extends z.ZodType>(one: Browser, path: string, schema: S): Promise<z.output<S>> {
  const answer = await one.request('GET', path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return schema.parse(await answer.json());
}

const figuresOf = (one: Browser) => get(one, '/api/fleet/figures', fleetFigures);

/** Waits until what a warden says of one of them holds. */
function eventuallySays(one: Browser, id: string, check: (warden: WardenFigures | undefined) => void): Promise<void> {
  return eventually(async () => check((await figuresOf(one)).wardens.find((warden) => warden.id === id)), WITHIN_MS);
}

/** What a warden's own Stats and Alerts say of the last 15 minutes, in the shape of the figures. */
async function ownStats(one: Browser, model: string | null) {
  const query = `window=15m${model === null ? '' : `&model=${encodeURIComponent(model)}`}`;
  const tokens = await get(one, `/api/stats/tokens?${query}`, tokenSeries);
  const { totals: errors } = await get(one, `/api/stats/errors?${query}`, errorSeries);
  const { ttfb_seconds: ttfb } = (await get(one, `/api/stats/latency?${query}`, latencySeries)).totals;
  const { requests, prompt_cached_tokens, prompt_computed_tokens, completion_tokens } = tokens.totals;
  return {
    requests,
    failed: errors.client_error + errors.engine_error + errors.upstream_failed,
    decisions: (await get(one, `/api/stats/decisions?${query}`, decisionSeries)).totals,
    prompt_cached_tokens,
    prompt_computed_tokens,
    completion_tokens,
    cache_hit_percent: tokens.cache_hit_percent,
    ttfb_seconds: { count: ttfb.count, p50: ttfb.p50, p95: ttfb.p95 },
  };
}

/** Somebody who reaches the memory, and writes members there. */
async function intruder() {
  const client = createValkeyClient(readSharedUrl(redis.url), () => undefined);
  await client.connect();
  onTestFinished(() => client.destroy());
  return async (id: string, url: string, more: object = { api_url: url }): Promise<void> => {
    const record = { id, url, version: '9', started_at: new Date().toISOString(), models: {}, ...more };
    await client.send(ABOUT_KEY, ['HSET', ABOUT_KEY, id, JSON.stringify(record)]);
    onTestFinished(async () => void (await client.send(ABOUT_KEY, ['HDEL', ABOUT_KEY, id])));
  };
}

/** A server of somebody else's, and what it was asked. */
async function otherServer(listener: RequestListener) {
  const asked: { readonly path: string; readonly authorization: string }[] = [];
  const server = createServer((req, res) => {
    asked.push({ path: req.url ?? '', authorization: req.headers.authorization ?? '' });
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('three wardens with a password', () => {
  let wardens: TestWarden[] = [];
  let admins: Browser[] = [];
  let ids: string[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    const replicas = [{ url: engine.url }];
    const otherModels = [{ name: OTHER_MODEL, served_model_name: TEST_MODEL, max_num_seqs: 32, replicas }];
    wardens = await Promise.all([1, 2, 3].map(() => startFleetWarden(engine, redis.url, { otherModels })));
    admins = await Promise.all(wardens.map((warden) => signIn(warden, 'admin')));
    await allSay(admins, true);
    // A warden joins before it listens, and says where a moment later.
    await eventually(async () => {
      const { members } = await get(admin(0), '/api/fleet', fleetState);
      ids = wardens.map(({ url }) => members.find((member) => member.url === url)?.id ?? '');
      expect(ids).not.toContain('');
    }, WITHIN_MS);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(wardens.map((warden) => warden.close()));
    await redis.close();
  });

  const at = <Value>(all: readonly Value[], index: number): Value => {
    const found = all[index];
    if (found === undefined) throw new Error('three were started');
    return found;
  };
  const admin = (index: number): Browser => at(admins, index);
  const warden = (index: number): TestWarden => at(wardens, index);

  it('show what each of them took as its own Stats do, and the sum', async () => {
    const key = await makeKey(admin(0));
    const send = async (index: number, session: string, model: string, path = '/v1/chat/completions') => {
      const messages = [{ role: 'user', content: 'word '.repeat(200) }];
      const headers = {
        authorization: `Bearer ${key}`,
        'x-session-id': `0197b2f0-1111-7000-8000-00000000000${session}`,
      };
      await eventually(async () => {
        const answer = await warden(index).post(path, { model, max_tokens: 3, messages }, headers);
        await answer.text();
        // A key is known everywhere within moments.
        expect(answer.status).not.toBe(401);
      }, WITHIN_MS);
    };
    for (const [index, session] of [
      [0, 'a'],
      [0, 'a'],
      [1, 'a'],
      [1, 'b'],
      [1, 'c'],
    ] as const) {
      await send(index, session, TEST_MODEL);
    }
    await send(1, 'd', OTHER_MODEL);
    // Has no prompt: the engine refuses it.
    await send(1, 'e', OTHER_MODEL, '/v1/completions');

    await eventually(async () => {
      const { wardens: told, together } = await figuresOf(admin(2));
      expect(told.map(({ id, self }) => [id, self]).sort()).toEqual(ids.map((id, index) => [id, index === 2]).sort());
      for (const [index, id] of ids.entries()) {
        const { figures, problem } = told.find((one) => one.id === id) ?? { figures: null, problem: null };
        expect(problem).toBeNull();
        expect(figures?.all).toMatchObject(await ownStats(admin(index), null));
        expect(figures?.models.map(({ model }) => model)).toEqual([TEST_MODEL, OTHER_MODEL]);
        for (const { model, ...took } of figures?.models ?? []) {
          expect(took).toMatchObject(await ownStats(admin(index), model));
        }
        expect(figures?.alerts_firing).toBe((await get(admin(index), '/api/alerts', alertList)).alerts.length);
      }
      const { all, models = [], ...rest } = together ?? {};
      expect(rest).toMatchObject({ wardens: 3 });
      expect(all).toMatchObject({ requests: 7, failed: 1, decisions: { placed: 5, sticky: 2 } });
      expect(all?.ttfb_seconds).toMatchObject({ count: 6, p50: expect.any(Number), p95: expect.any(Number) });
      expect(models.map(({ model, requests }) => [model, requests])).toEqual([
        [TEST_MODEL, 5],
        [OTHER_MODEL, 2],
      ]);
      const sum = (of: 'prompt_cached_tokens' | 'measured_prompt_tokens') =>
        told.reduce((total, { figures }) => total + (figures?.all[of] ?? Number.NaN), 0);
      expect(all?.cache_hit_percent).toBeCloseTo((100 * sum('prompt_cached_tokens')) / sum('measured_prompt_tokens'));
      expect(all?.cache_hit_percent).toBeGreaterThan(0);
    }, WITHIN_MS);
  }, 60_000);

  it('are read by viewers, and by nobody who is not signed in', async () => {
    await admin(0).request('POST', '/api/people', { name: 'vera', role: 'viewer', password: PASSWORD });
    const viewer = await signIn(warden(0), 'vera');
    expect((await figuresOf(viewer)).wardens).toHaveLength(3);
    expect((await get(viewer, OWN_FIGURES_PATH, ownFigures)).warden).toBe(ids[0]);
    for (const path of ['/api/fleet/figures', OWN_FIGURES_PATH]) {
      expect((await browser(warden(0)).request('GET', path)).status).toBe(401);
    }
  });

  describe('that are asked with a proof', () => {
    /** Deriving its key takes as long as guessing a password is to take. */
    let vaults: { readonly theirs: Vault; readonly another: Vault };
    beforeAll(async () => {
      vaults = { theirs: await createVault(PASSWORD), another: await createVault('another secret than theirs') };
    });
    /** Made so long ago, by the clock of the memory, which is this machine's. */
    const prove = (url: string, ageMs = 0, secret: keyof typeof vaults = 'theirs'): string | null =>
      createFellowProofs(vaults[secret], { apiUrl: '', sharedNow: () => Date.now() - ageMs }).prove(url);

    const ask = async (
      url: string,
      proof: string | null,
      {
        path = OWN_FIGURES_PATH,
        method = 'GET',
        headers = {},
      }: { path?: string; method?: string; headers?: object } = {},
    ): Promise<number> => {
      const { statusCode, body } = await request(url + path, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...(proof === null ? {} : { authorization: `Warden ${proof}` }), ...headers },
      });
      await body.dump();
      return statusCode;
    };

    it('answer what is proven to be of the fleet, for them, a moment ago; and nothing else', async () => {
      const { url } = warden(0);
      expect(await ask(url, prove(url))).toBe(200);
      expect(await ask(url, prove(warden(1).url))).toBe(401);
      expect(await ask(url, prove(url, 60_000))).toBe(401);
      expect(await ask(url, prove(url, -60_000))).toBe(401);
      expect(await ask(url, prove(url, 0, 'another'))).toBe(401);
      expect(await ask(url, 'A'.repeat(60))).toBe(401);
      expect(await ask(url, null)).toBe(401);
    });

    it('let it in nowhere else, not from pages of others, and not under names of others', async () => {
      const { url } = warden(0);
      const proof = prove(url);
      for (const path of ['/api/fleet', '/api/fleet/figures', '/api/models', '/metrics', '/v1/models']) {
        expect(await ask(url, proof, { path }), path).toBe(401);
      }
      for (const path of [OWN_FIGURES_PATH, '/api/people', '/v1/chat/completions']) {
        expect(await ask(url, proof, { path, method: 'POST' }), path).toBe(401);
      }
      expect(await ask(url, proof, { headers: { origin: 'http://evil.example' } })).toBe(403);
      expect(await ask(url, proof, { headers: { host: 'evil.example' } })).toBe(421);
    });

    it('are known by the names of the URLs that they say they are at', async () => {
      const options = { advertiseUrl: 'http://localhost:8091', memberUrl: 'http://warden-1:8090' };
      const named = await startFleetWarden(engine, redis.url, options);
      onTestFinished(() => named.close());
      const proof = prove('http://warden-1:8090');
      const under = (host: string) => ask(named.url, proof, { headers: { host } });
      await eventually(async () => expect(await under('warden-1:8090')).toBe(200), WITHIN_MS);
      expect(await under('warden-2:8090')).toBe(421);
      expect(await ask(named.url, prove('http://localhost:8091'))).toBe(401);
    });
  });

  it('tell of a member that cannot be read why, and never a number', async () => {
    const nonsense = await otherServer((_req, res) => void res.end('<html>hello</html>'));
    const empty = await otherServer((_req, res) => void res.end('{"warden": "empty", "all": {"requests": 7}}'));
    const huge = await otherServer((_req, res) => void res.end(`"${'x'.repeat(2_000_000)}"`));
    const broken = await otherServer((_req, res) => void res.writeHead(500).end());
    const old = await otherServer((_req, res) => void res.writeHead(404).end());
    const refusing = await otherServer((_req, res) => void res.writeHead(401).end());
    const unnamed = await otherServer((_req, res) => void res.writeHead(421).end());
    const hanging = await otherServer(() => undefined);
    const write = await intruder();
    const members = [
      ['nonsense', nonsense.url, 'not_understood'],
      ['empty', empty.url, 'not_understood'],
      ['huge', huge.url, 'not_understood'],
      ['broken', broken.url, 'failed'],
      ['old', old.url, 'older'],
      ['refusing', refusing.url, 'refused'],
      ['unnamed', unnamed.url, 'unknown_host'],
      ['hanging', hanging.url, 'late'],
      ['nobody', 'http://127.0.0.1:1', 'unreachable'],
      ['impostor', warden(1).url, 'another'],
      ['metadata', 'http://169.254.169.254/latest', 'refused_address'],
      ['file', 'file:///etc/passwd', 'refused_address'],
      ['user', 'http://a:b@127.0.0.1:1', 'refused_address'],
    ] as const;
    for (const [id, url] of members) await write(id, url);
    await write('version', 'http://127.0.0.1:1', {});
    await eventually(async () => {
      const { wardens: told, together } = await figuresOf(admin(0));
      const problems = Object.fromEntries(told.map(({ id, problem }) => [id, problem?.code]));
      expect(problems).toMatchObject({
        ...Object.fromEntries(members.map(([id, , code]) => [id, code])),
        version: 'older',
      });
      for (const id of ids) expect(problems[id]).toBeUndefined();
      for (const { figures, problem } of told) expect(figures === null).toBe(problem !== null);
      expect(together?.wardens).toBe(3);
    }, WITHIN_MS);
    for (const { asked } of [nonsense, hanging]) {
      expect(new Set(asked.map(({ path }) => path))).toEqual(new Set([OWN_FIGURES_PATH]));
    }
  }, 60_000);

  it('follow a member nowhere, and what they prove to it is of no use to it', async () => {
    const lured = await otherServer((_req, res) => void res.end());
    const luring = await otherServer((req, res) => {
      const location = `${req.url === OWN_FIGURES_PATH ? lured.url : warden(1).url}${OWN_FIGURES_PATH}`;
      res.writeHead(302, { location }).end();
    });
    await (await intruder())('luring', luring.url);
    await eventuallySays(admin(0), 'luring', (member) => expect(member?.problem?.code).toBe('redirect'));
    expect(lured.asked).toEqual([]);
    const { authorization = '' } = luring.asked[0] ?? {};
    expect(authorization).toMatch(/^Warden [\w-]{40,}$/);
    for (const { url } of wardens) {
      const answer = await fetch(url + OWN_FIGURES_PATH, { headers: { authorization } });
      expect(answer.status).toBe(401);
    }
  }, 60_000);

  it('are each asked once, however many look', async () => {
    const counting = await otherServer((_req, res) => void res.end('{}'));
    await (await intruder())('counting', counting.url);
    await eventuallySays(admin(0), 'counting', (member) => expect(member?.problem?.code).toBe('not_understood'));
    const before = counting.asked.length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => figuresOf(admin(0))));
    expect(answers).toHaveLength(20);
    expect(counting.asked.length - before).toBeLessThanOrEqual(2);
  }, 60_000);
});

describe('wardens that are let in otherwise', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  async function start(options: Partial<TestWardenOptions> = {}): Promise<TestWarden> {
    const warden = await startTestWarden({ fleets: [engine], shared: redis.url, ...options });
    onTestFinished(() => warden.close());
    return warden;
  }

  it('ask without a proof on loopback; with people of their own and no secret they say that one is needed', async () => {
    const other = await start();
    const own = browser(await start());
    await eventually(async () => {
      const seen = (await figuresOf(own)).wardens.find(({ url }) => url === other.url);
      expect([seen?.figures?.all.requests, seen?.problem]).toEqual([0, null]);
    }, WITHIN_MS);
    const person = { name: 'vera', role: 'admin', password: PASSWORD };
    expect((await own.request('POST', '/api/people', person)).status).toBe(200);
    await own.request('POST', '/api/session', { name: 'vera', password: PASSWORD });
    await eventually(async () => {
      const { wardens, together } = await figuresOf(own);
      const seen = wardens.find(({ url }) => url === other.url);
      expect([seen?.figures, seen?.problem?.code]).toEqual([null, 'needs_secret']);
      expect(seen?.problem?.message).toContain('WARDEN_SHARED_SECRET');
      expect(together?.wardens).toBe(1);
    }, WITHIN_MS);
    // The other way round: whoever has a password lets no stranger in.
    await eventually(async () => {
      const { wardens } = await figuresOf(browser(other));
      const seen = wardens.find(({ self, url }) => !self && url !== other.url);
      expect([seen?.figures, seen?.problem?.code]).toEqual([null, 'refused']);
    }, WITHIN_MS);
  }, 60_000);

  it('with clocks that differ by minutes let each other in, and say which of them was killed', async () => {
    const env = { WARDEN_ADMIN_PASSWORD: PASSWORD };
    const processes = await Promise.all(
      [-7 * 60_000, 0, 11 * 60_000].map(async (clockAheadMs) => {
        const one = await startWardenProcess({ shared: redis.url, engines: [engine], clockAheadMs, env });
        onTestFinished(() => one.kill());
        return one;
      }),
    );
    const admins = await Promise.all(processes.map((one) => signIn(one, 'admin')));
    for (const one of admins) {
      await eventually(async () => {
        const { wardens } = await figuresOf(one);
        const known = processes.map(({ url }) => wardens.find((warden) => warden.url === url));
        expect(known.map((warden) => [warden?.figures?.all.requests, warden?.problem])).toEqual([
          [0, null],
          [0, null],
          [0, null],
        ]);
      }, WITHIN_MS);
    }
    const [behind, right, ahead] = processes;
    await right?.kill();
    // It stands there with the reason until the others give it up, some seconds later.
    const looking = admins[2];
    if (looking === undefined) throw new Error('three were started');
    await eventually(async () => {
      const { wardens, together } = await figuresOf(looking);
      const known = new Map(wardens.map((warden) => [warden.url, warden]));
      expect(together?.wardens).toBe(2);
      for (const alive of [behind, ahead]) expect(known.get(alive?.url ?? '')?.problem).toBeNull();
      const killed = known.get(right?.url ?? '');
      if (killed !== undefined) expect([killed.figures, killed.problem?.code]).toEqual([null, 'unreachable']);
    }, WITHIN_MS);
  }, 90_000);
});
