import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionList } from '#lib/contract/activity.ts';
import { routingState } from '#lib/contract/models.ts';
import { type BuiltWarden, startBuiltWarden } from '../built-warden.ts';
import { startMortalFleet } from './built-fleets.ts';
import { installClient } from './install-client.ts';
import { type ClientRun, runClient } from './run-client.ts';
import { expectOneHome, restartAfterFirstTurn, type Turns, turnsOn } from './turns.ts';

const MODEL = 'qwen3-4b-dp4';
const result = z.object({ session_id: z.string(), is_error: z.boolean() });
const client = installClient('@anthropic-ai/claude-code', 'claude');
if (!client.ok) console.warn(`\nSKIPPED: Claude Code cannot be run here. ${client.reason}\n`);
else console.log(`\nClaude Code ${client.version}\n`);

let warden: BuiltWarden;
let home: string;

/** Runs the real Claude Code in a clean environment: own HOME, a dummy key, nothing but the router to talk to. */
function claude(args: readonly string[], url = warden.url): Promise<ClientRun> {
  if (!client.ok) throw new Error('not installed');
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: 'dummy',
    ANTHROPIC_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  return runClient(client.executable, [...args, '--output-format', 'json'], { home, env });
}

const ALLOWED = ['--allowedTools', 'Bash,Read,Agent,Task'];
const turns = (): Promise<Turns> => turnsOn(warden, '/v1/messages');

describe.skipIf(!client.ok)('Claude Code on the simulated fleet', () => {
  beforeAll(async () => {
    warden = await startBuiltWarden();
    home = mkdtempSync(join(tmpdir(), 'lm-warden-claude-'));
  });
  afterAll(async () => {
    await warden.dispose();
    rmSync(home, { recursive: true, force: true });
    if (client.ok) client.remove();
  });

  it('keeps every turn of a conversation, over --continue and --resume, on one replica', async () => {
    const first = await claude(['-p', 'List the files. [[tool:Bash {"command":"ls"}]]', ...ALLOWED]);
    expect(first.code, first.output).toBe(0);
    const again = await claude(['-p', 'Once more. [[tool:Bash {"command":"pwd"}]]', '--continue', ...ALLOWED]);
    expect(again.code, again.output).toBe(0);
    const { session_id: session } = result.parse(JSON.parse(again.output));
    const resumed = await claude([
      '-p',
      'And again. [[tool:Bash {"command":"date"}]]',
      '--resume',
      session,
      ...ALLOWED,
    ]);
    expect(resumed.code, resumed.output).toBe(0);

    const rows = await turns();
    expect(rows.length).toBeGreaterThanOrEqual(6);
    expectOneHome(rows);
    expect(new Set(rows.map((row) => row.session_source))).toEqual(new Set(['x-claude-code-session-id']));
    for (const row of rows) {
      expect(row.prompt_tokens).toBeGreaterThan(1000);
      expect(row.completion_tokens).toBeGreaterThan(0);
    }
    const { totals } = await warden.get(`/api/models/${MODEL}/routing`, routingState);
    expect(totals).toMatchObject({ in_flight: 0, placed: 1, sticky: rows.length - 1, spilled: 0, sticky_percent: 100 });

    const compacted = await claude(['-p', '/compact', '--resume', session, ...ALLOWED]);
    expect(compacted.code, compacted.output).toBe(0);
    const after = (await turns()).slice(rows.length);
    for (const row of after) expect(row).toMatchObject({ decision: 'sticky', replica: rows[0]?.replica, status: 200 });
  });

  it('completes its turn when the engine restarts in the middle of it', async () => {
    const fleet = await startMortalFleet();
    const other = await startBuiltWarden({ WARDEN_UPSTREAM: fleet.url });
    try {
      const prompt = 'Wait, then go on. [[tool:Bash {"command":"sleep 5; echo done"}]]';
      const run = claude(['-p', prompt, ...ALLOWED], other.url);
      await restartAfterFirstTurn(other, fleet, '/v1/messages');
      const { code, output } = await run;
      expect(code, output).toBe(0);
      expect(result.parse(JSON.parse(output)).is_error).toBe(false);
      const rows = await turnsOn(other, '/v1/messages');
      expect(rows.at(-1)).toMatchObject({ status: 200, outcome: 'ok' });
    } finally {
      await other.dispose();
      await fleet.close();
    }
  });

  it('shows two parallel subagents and their parent as three conversations, each on its own replica throughout', async () => {
    const before = (await warden.get('/api/sessions', sessionList)).sessions.map((session) => session.key);
    const agent = (name: string, command: string): string =>
      `[[tool:Agent ${JSON.stringify({ description: name, prompt: `${name}: [[tool:Bash ${JSON.stringify({ command })}]]`, subagent_type: 'general-purpose' })}]]`;
    const run = await claude(['-p', `Ask both. ${agent('first', 'ls')} ${agent('second', 'pwd')}`, ...ALLOWED]);
    expect(run.code, run.output).toBe(0);

    const rows = await turns();
    const { sessions } = await warden.get('/api/sessions', sessionList);
    const made = sessions.filter((session) => !before.includes(session.key));
    expect(made.map((session) => session.source).sort()).toEqual([
      'x-claude-code-agent-id',
      'x-claude-code-agent-id',
      'x-claude-code-session-id',
    ]);
    for (const session of made) {
      const own = rows.filter((row) => row.session === session.key);
      expect(own.length).toBeGreaterThanOrEqual(2);
      expect(new Set(own.map((row) => row.replica))).toEqual(new Set([session.home]));
    }
    expect(new Set(made.map((session) => session.home)).size).toBe(3);
  });
});
