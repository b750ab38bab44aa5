import { afterEach, describe, expect, it } from 'vitest';
import { sessionList } from '#lib/contract/activity.ts';
import { parseExposition } from '#lib/engine/prometheus-text.ts';
import { startRedis } from '#scripts/start-redis.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function wardenOfTwoRanks(config: Record<string, unknown> = {}): Promise<TestWarden> {
  const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
  const warden = await startTestWarden({ fleets: [fleet], config });
  closing.push(fleet, warden);
  return warden;
}

async function ask(warden: TestWarden, session: string, model = TEST_MODEL): Promise<number> {
  const messages = [{ role: 'user', content: `the same long beginning of ${session} `.repeat(40) }];
  const headers = { 'x-session-id': session };
  const answer = await warden.post('/v1/chat/completions', { model, max_tokens: 4, messages }, headers);
  await answer.text();
  return answer.status;
}

async function scrape(warden: TestWarden) {
  const answer = await fetch(`${warden.url}/metrics`);
  const text = await answer.text();
  const samples = [...parseExposition(text)];
  /** The sum over all series of the name that have these labels; null where there is none. */
  const value = (name: string, labels: Record<string, string> = {}): number | null => {
    const matching = samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, wanted]) => sample.labels.get(label) === wanted),
    );
    return matching.length === 0 ? null : matching.reduce((sum, sample) => sum + sample.value, 0);
  };
  return { answer, text, samples, value };
}

describe('GET /metrics', () => {
  it('counts requests by decision and tokens by source, and agrees with what the console says', async () => {
    const warden = await wardenOfTwoRanks();
    for (const session of ['a', 'a', 'b']) expect(await ask(warden, session)).toBe(200);
    const { value, answer } = await eventually(async () => {
      const scraped = await scrape(warden);
      expect(scraped.value('warden_requests_total')).toBe(3);
      return scraped;
    });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const model = TEST_MODEL;
    expect(value('warden_requests_total', { model, decision: 'placed', status: '200' })).toBe(2);
    expect(value('warden_requests_total', { model, decision: 'sticky', status: '200' })).toBe(1);
    expect(value('warden_replica_requests_total', { model })).toBe(3);
    expect(value('warden_request_outcomes_total', { model, outcome: 'ok' })).toBe(3);
    expect(value('warden_time_to_first_byte_seconds_count', { model })).toBe(3);
    expect(value('warden_request_duration_seconds_bucket', { model, le: '+Inf' })).toBe(3);

    const rows = await eventually(async () => {
      const found = await warden.requests();
      expect(found).toHaveLength(3);
      return found;
    });
    const sum = (pick: (row: (typeof rows)[number]) => number | null): number =>
      rows.reduce((total, row) => total + (pick(row) ?? 0), 0);
    expect(sum((row) => row.cached_tokens)).toBeGreaterThan(0);
    expect(value('warden_prompt_tokens_total', { model, source: 'cached' })).toBe(sum((row) => row.cached_tokens));
    expect(value('warden_prompt_tokens_total', { model })).toBe(sum((row) => row.prompt_tokens));
    expect(value('warden_completion_tokens_total', { model })).toBe(sum((row) => row.completion_tokens));
    expect(value('warden_measured_requests_total', { model })).toBe(3);
  });

  it('passes the readings of each replica on, with what it stands for', async () => {
    const warden = await wardenOfTwoRanks();
    await ask(warden, 'a');
    await eventually(async () => {
      const { value } = await scrape(warden);
      const routing = await warden.routing();
      for (const { replica, rank, kv_capacity_tokens } of routing.replicas) {
        const labels = { model: TEST_MODEL, replica: String(replica) };
        expect(value('warden_replica_up', labels)).toBe(1);
        expect(value('warden_replica_info', { ...labels, rank: String(rank) })).toBe(1);
        expect(value('warden_engine_requests_running', labels)).toBe(0);
        expect(value('warden_engine_requests_waiting', labels)).toBe(0);
        expect(value('warden_engine_kv_capacity_tokens', labels)).toBe(kv_capacity_tokens);
        expect(value('warden_in_flight_requests', labels)).toBe(0);
      }
      expect(value('warden_homes')).toBe(1);
      expect(value('warden_live_sessions')).toBe(1);
      expect(value('warden_engine_prompt_tokens_computed_total')).toBeGreaterThan(0);
      expect(value('warden_spill_threshold')).toBe(routing.spill_threshold);
      expect(value('warden_cache_fit_enabled')).toBe(0);
      expect(value('warden_conversation_tokens')).toBeGreaterThan(0);
      expect(value('warden_held_requests')).toBeNull();
    });
  });

  it('says how many turns are held once cache-fit admission is on', async () => {
    const warden = await wardenOfTwoRanks();
    expect((await warden.patchRouting({ cache_fit: true })).status).toBe(200);
    const { value } = await scrape(warden);
    expect(value('warden_cache_fit_enabled')).toBe(1);
    expect(value('warden_held_requests')).toBe(0);
    expect(value('warden_held_requests_total')).toBe(0);
  });

  it('makes no series for models that clients invent, however many', async () => {
    const warden = await wardenOfTwoRanks();
    // The series of the process come and go: a timer, a socket.
    const seriesOf = ({ samples }: Awaited<ReturnType<typeof scrape>>): string[] =>
      samples
        .filter(({ name }) => !/^warden_(nodejs|process)_/.test(name))
        .map(({ name, labels }) => JSON.stringify([name, ...labels]));
    await ask(warden, 'a');
    expect(await ask(warden, 'a', 'invented')).toBe(404);
    const before = await eventually(async () => {
      const scraped = await scrape(warden);
      expect(scraped.value('warden_requests_total')).toBe(1);
      return scraped;
    });
    for (let index = 0; index < 20; index += 1) expect(await ask(warden, 'a', `invented-${index}`)).toBe(404);
    const after = await scrape(warden);
    expect(after.text).not.toContain('invented');
    expect(after.value('warden_refused_requests_total', { code: 'model_not_found', status: '404' })).toBe(21);
    expect(seriesOf(after)).toEqual(seriesOf(before));
  });

  it('says nothing of what an engine does not report, and that a dead one is down', async () => {
    const warden = await startTestWarden({ fleets: [{ url: 'http://127.0.0.1:9' }] });
    closing.push(warden);
    const { value, text } = await scrape(warden);
    expect(value('warden_replica_up', { model: TEST_MODEL, replica: '0' })).toBe(0);
    expect(value('warden_engine_requests_waiting')).toBeNull();
    expect(value('warden_held_requests')).toBeNull();
    expect(text).toContain('# TYPE warden_held_requests gauge');
  });

  it('tells of the process: version, event loop, memory, rows on their way to the disk', async () => {
    const { value } = await scrape(await wardenOfTwoRanks());
    expect(value('warden_build_info', { version: '0.0.0-test', node: process.versions.node })).toBe(1);
    expect(value('warden_process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(value('warden_nodejs_eventloop_lag_p99_seconds')).not.toBeNull();
    expect(value('warden_store_waiting_rows')).not.toBeNull();
    expect(value('warden_store_dropped_rows_total')).toBe(0);
    expect(value('warden_store_saving')).toBe(1);
  });
});

describe('GET /metrics of wardens that share a memory', () => {
  it('tells whether the memory is reached, who is there, and of each conversation once who placed it', async () => {
    const redis = await startRedis();
    closing.push(redis);
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
    closing.push(fleet);
    const start = (): Promise<TestWarden> => startTestWarden({ fleets: [fleet], shared: redis.url });
    const [one, two] = await Promise.all([start(), start()]);
    closing.push(one, two);
    await eventually(async () => {
      for (const warden of [one, two]) {
        const { value } = await scrape(warden);
        expect(value('warden_shared_memory_up')).toBe(1);
        expect(value('warden_fleet_members')).toBe(2);
      }
    }, 15_000);
    expect(await ask(one, 'a')).toBe(200);
    expect(await ask(one, 'b')).toBe(200);
    expect(await ask(two, 'c')).toBe(200);
    await eventually(async () => {
      const [first, second] = await Promise.all([scrape(one), scrape(two)]);
      expect([first, second].map(({ value }) => value('warden_live_sessions'))).toEqual([3, 3]);
      expect([first, second].map(({ value }) => value('warden_live_sessions_placed_here'))).toEqual([2, 1]);
    });
    await redis.stop();
    await eventually(async () => expect((await scrape(one)).value('warden_shared_memory_up')).toBe(0));
  });

  it('counts a conversation as live on every warden for as long as one of them serves it', async () => {
    const redis = await startRedis();
    closing.push(redis);
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 1 });
    closing.push(fleet);
    const start = (): Promise<TestWarden> => startTestWarden({ fleets: [fleet], shared: redis.url });
    const [one, two] = await Promise.all([start(), start()]);
    closing.push(one, two);
    await eventually(async () => expect((await scrape(two)).value('warden_fleet_members')).toBe(2), 15_000);
    const lastSeen = async (warden: TestWarden): Promise<number> => {
      const { sessions } = sessionList.parse(await (await fetch(`${warden.url}/api/sessions`)).json());
      expect(sessions).toHaveLength(1);
      return Date.parse(sessions[0]?.last_seen ?? '');
    };
    expect(await ask(one, 'a')).toBe(200);
    const heardFirst = await eventually(() => lastSeen(two));
    // What is told again of the first turn is over by then.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const before = Date.now();
    expect(before).toBeGreaterThan(heardFirst);
    expect(await ask(one, 'a')).toBe(200);
    await eventually(async () => expect(await lastSeen(two)).toBeGreaterThanOrEqual(before));
  });
});
