import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type RequestList, requestList } from '#lib/contract/activity.ts';
import { type BuiltWarden, startBuiltWarden } from '../built-warden.ts';
import { startBuiltFleets, startMortalFleet } from './built-fleets.ts';
import { installClient } from './install-client.ts';
import { type ClientRun, runClient } from './run-client.ts';
import { expectOneHome, restartAfterFirstTurn, turnsOn } from './turns.ts';

const MODEL = 'qwen3-4b-dp4';
const client = installClient('@openai/codex', 'codex');
if (!client.ok) console.warn(`\nSKIPPED: Codex cannot be run here. ${client.reason}\n`);
else console.log(`\n${client.version}\n`);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => {
  if (client.ok) client.remove();
});

/** A folder in which Codex knows nothing but the router, as a provider of the responses API. */
function codexHome(warden: BuiltWarden): string {
  const home = mkdtempSync(join(tmpdir(), 'lm-warden-codex-'));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.codex'));
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "${MODEL}"
model_provider = "warden"
[model_providers.warden]
name = "warden"
base_url = "${warden.url}/v1"
env_key = "WARDEN_KEY"
wire_api = "responses"
[projects."${home}"]
trust_level = "trusted"
`,
  );
  return home;
}

function codex(home: string, args: readonly string[]): Promise<ClientRun> {
  if (!client.ok) throw new Error('not installed');
  const env = { CODEX_HOME: join(home, '.codex'), WARDEN_KEY: 'dummy' };
  // As root its own sandbox cannot be set up; the commands it is made to run are `ls` and `pwd`.
  const options = ['--sandbox', 'danger-full-access', '--skip-git-repo-check'];
  return runClient(client.executable, ['exec', ...options, ...args], { home, env });
}

/** Two runs of one conversation, each with a tool call; the turns it made, in their order. */
async function conversation(warden: BuiltWarden): Promise<RequestList['requests']> {
  const home = codexHome(warden);
  const first = await codex(home, ['--json', 'List the files. [[tool:exec_command {"cmd":"ls"}]]']);
  expect(first.code, first.output).toBe(0);
  expect(first.output).toContain('"type":"command_execution"');
  const again = await codex(home, ['resume', '--last', 'And where? [[tool:exec_command {"cmd":"pwd"}]]']);
  expect(again.code, again.output).toBe(0);
  // Rows reach the database once a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { requests } = await warden.get('/api/requests?limit=1000', requestList);
  const turns = requests.filter((request) => request.path === '/v1/responses').reverse();
  expect(turns.length).toBeGreaterThanOrEqual(4);
  for (const turn of turns) expect(turn).toMatchObject({ status: 200, outcome: 'ok', session_source: 'thread-id' });
  expect(new Set(turns.map((turn) => turn.session)).size).toBe(1);
  return turns;
}

describe.skipIf(!client.ok)('Codex on the simulated fleet', () => {
  it('keeps every turn of a conversation on one of several URLs', async () => {
    const fleets = await startBuiltFleets(3);
    closing.push(fleets.close);
    const warden = await startBuiltWarden({ WARDEN_UPSTREAM: fleets.urls.join(',') });
    closing.push(warden.dispose);
    const turns = await conversation(warden);
    expect(turns.map((turn) => turn.decision)).toEqual(['placed', ...turns.slice(1).map(() => 'sticky')]);
    expect(new Set(turns.map((turn) => turn.replica)).size).toBe(1);
    for (const turn of turns.slice(1)) {
      expect((turn.cached_tokens ?? 0) / (turn.prompt_tokens ?? 1)).toBeGreaterThan(0.5);
    }
  });

  it('keeps every turn on one replica of one URL, its requests sent as chat completions', async () => {
    const warden = await startBuiltWarden();
    closing.push(warden.dispose);
    expectOneHome(await conversation(warden));
  });

  it('completes its turn when the engine restarts in the middle of it', async () => {
    const fleet = await startMortalFleet();
    closing.push(fleet.close);
    const warden = await startBuiltWarden({ WARDEN_UPSTREAM: fleet.url });
    closing.push(warden.dispose);
    const run = codex(codexHome(warden), ['--json', 'Wait. [[tool:exec_command {"cmd":"sleep 5; echo done"}]]']);
    await restartAfterFirstTurn(warden, fleet, '/v1/responses');
    const { code, output } = await run;
    expect(code, output).toBe(0);
    expect((await turnsOn(warden, '/v1/responses')).at(-1)).toMatchObject({ status: 200, outcome: 'ok' });
  });
});
