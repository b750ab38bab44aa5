import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { benchmarkReport } from '#lib/contract/benchmark.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { temporaryFolder } from '#server/store/fixtures-for-tests.ts';
import { startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { runCommand } from './command.ts';
import { readCommandOptions } from './command-options.ts';
import { rememberedSettings } from './remembered-settings.ts';

async function warden(): Promise<TestWarden> {
  const fleet = await startSimulatedFleet({ speed: 40 });
  onTestFinished(() => fleet.close());
  const started = await startTestWarden({ fleets: [fleet] });
  onTestFinished(() => started.close());
  return started;
}

/** Runs the command with what it prints kept apart. */
async function run(args: readonly string[], folder = temporaryFolder()) {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text)),
    vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text)),
  ];
  try {
    const code = await runCommand(args, folder);
    return { code, out: out.join('\n'), err: err.join('\n') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const SHORT = ['--steps', '2', '--minutes', '0.03', '--warmup', '0.5', '--seed', '3'];

describe('bench:affinity', () => {
  it('prints one JSON document, puts affinity back, and forgets what it remembered', async () => {
    const server = await warden();
    const folder = temporaryFolder();
    const { code, out, err } = await run(['--url', `${server.url}/v1`, '--json', ...SHORT], folder);
    expect(code).toBe(0);
    const report = benchmarkReport.parse(JSON.parse(out));
    expect(report.rows.map(({ policy, sessions }) => [policy, sessions])).toEqual([
      ['off', 2],
      ['affinity', 2],
    ]);
    expect(report).toMatchObject({ clients: 'command', plan: { model: TEST_MODEL, seed: 3, seconds: 1.8 } });
    expect(err).toMatch(/1\/2 off at 2/);
    expect((await server.routing()).affinity).toBe(true);
    expect(rememberedSettings(folder, server.url, TEST_MODEL).read()).toBeNull();
  });

  it('measures cache-fit as well, and puts it back', async () => {
    const server = await warden();
    await server.patchRouting({ affinity: false });
    const { code, out } = await run(['--url', server.url, '--json', '--policies', 'cache-fit,affinity', ...SHORT]);
    expect(code).toBe(0);
    const report = benchmarkReport.parse(JSON.parse(out));
    expect(report.rows.map(({ policy }) => policy)).toEqual(['cache-fit', 'affinity']);
    expect(report.cells.map(({ setting_changed }) => setting_changed)).toEqual([false, false]);
    expect(await server.routing()).toMatchObject({ affinity: false, cache_fit: false });
  });

  it('puts back first what an earlier run, which was killed, had found', async () => {
    const server = await warden();
    const folder = temporaryFolder();
    await server.patchRouting({ affinity: false });
    rememberedSettings(folder, server.url, TEST_MODEL).write({ affinity: true, cacheFit: true });
    const { code, out, err } = await run(
      ['--url', server.url, '--model', TEST_MODEL, '--policies', 'affinity', ...SHORT],
      folder,
    );
    expect(code).toBe(0);
    expect(err).toContain('An earlier run was killed; affinity is put back to on and cache-fit to on first.');
    expect(out).toMatch(/^affinity +2 /m);
    expect(out).toContain('! The replicas are simulated');
    expect(await server.routing()).toMatchObject({ affinity: true, cache_fit: true });
  });

  it('does not start beside other traffic', async () => {
    const server = await warden();
    const answer = await server.post(
      '/v1/messages',
      { model: TEST_MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }] },
      { 'x-session-id': 'somebody' },
    );
    await answer.text();
    const { code, out, err } = await run(['--url', server.url, ...SHORT]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/was used \d+ s ago.*--allow-traffic/);
  });

  it.each([
    [[], '--url is missing'],
    [['--url', 'http://127.0.0.1:1', '--steps', 'x'], '--steps'],
    [['--url', 'http://127.0.0.1:1', '--nonsense'], '--nonsense'],
  ])('says what is wrong with %j', async (args, text) => {
    const { code, out, err } = await run([...args, '--model', 'qwen']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(text);
    expect(err).toContain('npm run bench:affinity');
  });
});

describe('the options', () => {
  it('reach the plan', () => {
    const options = readCommandOptions({
      url: 'box:8090/v1/',
      workload: 'claude-code',
      turns: '4',
      think: '0-30',
      minutes: '2',
      protocol: 'chat',
    });
    expect(options.url).toBe('http://box:8090');
    expect(options.plan('qwen', 5)).toMatchObject({
      model: 'qwen',
      workload: 'claude-code',
      seconds: 120,
      seed: 5,
      protocol: 'chat',
      numbers: { turns: 4, think_seconds: { least: 0, most: 30 }, system_tokens: 18_000 },
    });
  });

  it('of a replay leave the sizes to the recordings', () => {
    const options = readCommandOptions({ url: 'box', trace: 'folder', scale: '0.25' });
    expect(options.plan('qwen', 5)).toMatchObject({ workload: 'trace', numbers: null });
    expect(options.replay).toEqual({ scale: 0.25, maxThinkSeconds: 300 });
  });
});
