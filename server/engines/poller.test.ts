import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineAdapter } from './adapter.ts';
import { createPause } from './pause.ts';
import { createPoller, type Poll, type Poller, type PollerOptions } from './poller.ts';
import { answerAsVllm, type ScriptedEngine, startScriptedEngine } from './scripted-engine.ts';
import { createVllmAdapter } from './vllm.ts';

let engine: ScriptedEngine;
const open: { adapter: EngineAdapter; poller: Poller }[] = [];

/** A poll, or the message of its failure, in the order in which they were reported. */
type Reports = { readonly next: () => Promise<Poll | string>; readonly all: readonly (Poll | string)[] };

function pollEngine(options: Partial<PollerOptions> & { readonly timeoutMs?: number } = {}): {
  poller: Poller;
  reports: Reports;
} {
  const all: (Poll | string)[] = [];
  const waiting: (() => void)[] = [];
  const add = (report: Poll | string) => {
    all.push(report);
    waiting.shift()?.();
  };
  let taken = 0;
  const next = async () => {
    if (all.length <= taken) await new Promise<void>((resolve) => waiting.push(resolve));
    taken += 1;
    const report = all[taken - 1];
    if (report === undefined) throw new Error('no report');
    return report;
  };
  const { timeoutMs = 5000, ...rest } = options;
  const adapter = createVllmAdapter({ url: engine.url, apiKey: null, timeoutMs });
  const poller = createPoller({
    adapter,
    intervalMs: 5,
    onReading: add,
    onFailure: ({ message }) => add(message),
    ...rest,
  });
  open.push({ adapter, poller });
  return { poller, reports: { next, all } };
}

async function nextPoll(reports: Reports): Promise<Poll> {
  const report = await reports.next();
  if (typeof report === 'string') throw new Error(report);
  return report;
}

beforeEach(async () => {
  engine = await startScriptedEngine();
  answerAsVllm(engine, 100);
});
afterEach(async () => {
  for (const { adapter, poller } of open.splice(0)) {
    await poller.stop();
    await adapter.close();
  }
  await engine.close();
});

describe('createPoller', () => {
  it('polls at once and goes on, and reads the facts only the first time', async () => {
    const { reports } = pollEngine();
    const first = await nextPoll(reports);
    expect(first).toMatchObject({ healthy: true, restarted: false, facts: { version: '0.28.0' } });
    expect(first.reading.ranks).toMatchObject([{ rank: 0, running: 1, promptTokens: 100 }]);
    await nextPoll(reports);
    await nextPoll(reports);
    expect(engine.count('/v1/models')).toBe(1);
    expect(engine.count('/metrics')).toBeGreaterThanOrEqual(3);
  });

  it('reports a restart once and reads the facts again', async () => {
    const { reports } = pollEngine();
    await nextPoll(reports);
    answerAsVllm(engine, 3);
    engine.answer('/version', '{"version":"0.29.0"}');
    let poll = await nextPoll(reports);
    while (!poll.restarted) poll = await nextPoll(reports);
    expect(poll.facts.version).toBe('0.29.0');
    expect(await nextPoll(reports)).toMatchObject({ restarted: false, facts: { version: '0.29.0' } });
    expect(engine.count('/v1/models')).toBe(2);
  });

  it('notices a restart behind a time in which the engine had no series', async () => {
    const { reports } = pollEngine();
    await nextPoll(reports);
    engine.answer('/metrics', '');
    let poll = await nextPoll(reports);
    while (poll.reading.ranks.length > 0) poll = await nextPoll(reports);
    answerAsVllm(engine, 3);
    while (poll.reading.ranks.length === 0) poll = await nextPoll(reports);
    expect(poll.restarted).toBe(true);
  });

  it('survives an engine that goes away, and reads the facts again when it is back', async () => {
    const { reports } = pollEngine();
    await nextPoll(reports);
    await engine.close();
    let report: Poll | string = await reports.next();
    while (typeof report !== 'string') report = await reports.next();
    while (!String(report).endsWith('connection refused')) report = await reports.next();
    engine = await startScriptedEngine(Number(new URL(engine.url).port));
    answerAsVllm(engine, 100);
    while (typeof report === 'string') report = await reports.next();
    expect(report).toMatchObject({ healthy: true, restarted: false, facts: { version: '0.28.0' } });
    expect(engine.count('/v1/models')).toBe(1);
  });

  it('reports an engine that says it is dead as a reading, and reads the facts when it is well again', async () => {
    const { reports } = pollEngine();
    await nextPoll(reports);
    engine.answer('/health', 503);
    let poll = await nextPoll(reports);
    while (poll.healthy) poll = await nextPoll(reports);
    const before = engine.count('/v1/models');
    engine.answer('/health', 200);
    while (!poll.healthy) poll = await nextPoll(reports);
    expect(engine.count('/v1/models')).toBeGreaterThan(before);
  });

  it('fails every poll for as long as the facts cannot be read', async () => {
    engine.answer('/v1/models', 401);
    const { reports } = pollEngine();
    expect(await reports.next()).toContain('wants an API key');
    expect(await reports.next()).toContain('wants an API key');
  });

  it('gives up on a slow engine and polls it again', async () => {
    engine.answer('/metrics', () => {});
    const { reports } = pollEngine({ timeoutMs: 40 });
    let report = await reports.next();
    // Before it, something else may have taken as long on a busy machine.
    while (!String(report).includes('/metrics: no answer within 0.04 s')) report = await reports.next();
    answerAsVllm(engine, 100);
    while (typeof report === 'string') report = await reports.next();
    expect(report.healthy).toBe(true);
  });

  it('polls on request without waiting for the interval, once for any number of requests, never two at a time', async () => {
    let running = 0;
    let most = 0;
    let release = () => {};
    engine.answer('/metrics', (_request, response) => {
      running += 1;
      most = Math.max(most, running);
      release = () => {
        running -= 1;
        response.end('vllm:num_requests_running{engine="0"} 1\n');
      };
      if (engine.count('/metrics') !== 2) release();
    });
    const { poller, reports } = pollEngine({ intervalMs: 3_600_000 });
    await nextPoll(reports);
    poller.pollNow();
    while (engine.count('/metrics') < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    for (let call = 0; call < 10; call += 1) poller.pollNow();
    release();
    await nextPoll(reports);
    await nextPoll(reports);
    await poller.stop();
    expect(reports.all).toHaveLength(3);
    expect(most).toBe(1);
  });

  it('reports a listener that fails, and goes on', async () => {
    let calls = 0;
    const { reports } = pollEngine({
      onReading: () => {
        calls += 1;
        throw new Error('listener broke');
      },
    });
    expect(await reports.next()).toContain('listener broke');
    expect(await reports.next()).toContain('listener broke');
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  it('goes on and warns where even the listener for failures fails', async () => {
    engine.answer('/metrics', 500);
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    pollEngine({
      onFailure: () => {
        throw new Error('failure listener broke');
      },
    });
    expect((await warned).message).toBe('failure listener broke');
    while (engine.count('/metrics') < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('stops in the middle of a poll, and reports nothing afterwards', async () => {
    const asked = new Promise<void>((resolve) => engine.answer('/metrics', () => resolve()));
    const { poller, reports } = pollEngine();
    await asked;
    await poller.stop();
    expect(reports.all).toEqual([]);
  });

  it('stops in the middle of a pause', async () => {
    const { poller, reports } = pollEngine({ intervalMs: 3_600_000 });
    await nextPoll(reports);
    await poller.stop();
    poller.pollNow();
    expect(engine.count('/metrics')).toBe(1);
  });

  it('ends with its signal, also with one that was aborted before', async () => {
    const controller = new AbortController();
    const { poller, reports } = pollEngine({ signal: controller.signal, intervalMs: 3_600_000 });
    await nextPoll(reports);
    controller.abort();
    await poller.stop();
    const late = pollEngine({ signal: controller.signal });
    await late.poller.stop();
    expect(late.reports.all).toEqual([]);
    expect(engine.count('/metrics')).toBe(1);
  });
});

describe('createPause', () => {
  it('does not keep the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const pause = createPause();
    const waited = pause.wait(3_600_000);
    expect(timers()).toBe(before);
    pause.end();
    await waited;
  });
});
