import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltWarden, startBuiltWarden } from '../built-warden.ts';
import { startMortalFleet } from './built-fleets.ts';
import { installClient } from './install-client.ts';
import { type ClientRun, runClient } from './run-client.ts';
import { expectOneHome, restartAfterFirstTurn, turnsOn } from './turns.ts';

const MODEL = 'qwen3-4b-dp4';
const client = installClient('opencode-ai', 'opencode');
if (!client.ok) console.warn(`\nSKIPPED: opencode cannot be run here. ${client.reason}\n`);
else console.log(`\nopencode ${client.version}\n`);

let warden: BuiltWarden;
let home: string;

/** The router as opencode's only provider, of the chat completions API. */
const configuration = (url: string): object => ({
  provider: {
    warden: {
      npm: '@ai-sdk/openai-compatible',
      name: 'warden',
      options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
      models: { [MODEL]: { name: MODEL, limit: { context: 100_000, output: 8000 } } },
    },
  },
  permission: { bash: 'allow', edit: 'deny', webfetch: 'deny' },
  share: 'disabled',
  autoupdate: false,
});

function configure(url: string): void {
  const folder = join(home, '.config', 'opencode');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'opencode.json'), JSON.stringify(configuration(url)));
}

/** The prompt goes in by its input: given as an argument, opencode would escape the quotes in it. */
function opencode(prompt: string, args: readonly string[] = []): Promise<ClientRun> {
  if (!client.ok) throw new Error('not installed');
  const env = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
  const all = ['run', ...args, '--format', 'json', '-m', `warden/${MODEL}`];
  return runClient(client.executable, all, { home, env, input: prompt });
}

describe.skipIf(!client.ok)('opencode on the simulated fleet', () => {
  beforeAll(async () => {
    warden = await startBuiltWarden();
    home = mkdtempSync(join(tmpdir(), 'lm-warden-opencode-'));
    configure(warden.url);
  });
  afterAll(async () => {
    await warden.dispose();
    rmSync(home, { recursive: true, force: true });
    if (client.ok) client.remove();
  });

  it('keeps every turn of a conversation, over --continue, on one replica of one URL', async () => {
    const first = await opencode('List the files. [[tool:bash {"command":"ls","description":"list"}]]');
    expect(first.code, first.output).toBe(0);
    expect(first.output).toContain('"type":"tool_use"');
    const again = await opencode('Where? [[tool:bash {"command":"pwd","description":"where"}]]', ['--continue']);
    expect(again.code, again.output).toBe(0);
    const turns = await turnsOn(warden, '/v1/chat/completions');
    expect(turns.length).toBeGreaterThanOrEqual(4);
    expectOneHome(turns);
    expect(new Set(turns.map((turn) => turn.session_source))).toEqual(new Set(['x-session-affinity']));
  });

  it('completes its turn when the engine restarts in the middle of it', async () => {
    const fleet = await startMortalFleet();
    const other = await startBuiltWarden({ WARDEN_UPSTREAM: fleet.url });
    configure(other.url);
    try {
      const run = opencode('Wait. [[tool:bash {"command":"sleep 5; echo done","description":"wait"}]]');
      await restartAfterFirstTurn(other, fleet, '/v1/chat/completions');
      const { code, output } = await run;
      expect(code, output).toBe(0);
      expect((await turnsOn(other, '/v1/chat/completions')).at(-1)).toMatchObject({ status: 200, outcome: 'ok' });
    } finally {
      await other.dispose();
      await fleet.close();
    }
  });
});
