import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RequestList, requestList, sessionList } from '#lib/contract/activity.ts';
import { routingState } from '#lib/contract/models.ts';
import { type BuiltWarden, startBuiltWarden } from '../built-warden.ts';
import { installClient } from './install-client.ts';
import { type ClientRun, runClient } from './run-client.ts';

const MODEL = 'qwen3-4b-dp4';
const client = installClient('@anthropic-ai/claude-code', 'claude');
if (!client.ok) console.warn(`\nSKIPPED: Claude Code cannot be run here. ${client.reason}\n`);
else console.log(`\nClaude Code ${client.version}\n`);

let warden: BuiltWarden;
let home: string;

/** Runs the real Claude Code in a clean environment: own HOME, a dummy key, nothing but the router to talk to. */
function claude(args: readonly string[]): Promise<ClientRun> {
  if (!client.ok) throw new Error('not installed');
  const env = {
    ANTHROPIC_BASE_URL: warden.url,
    ANTHROPIC_AUTH_TOKEN: 'dummy',
    ANTHROPIC_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  return runClient(client.executable, [...args, '--output-format', 'json'], { home, env });
}

/** Turns of the conversation in the order they were made; side requests (token counts, warm-ups) left out. */
async function turns(): Promise<RequestList['requests']> {
  // Rows reach the database once a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { requests } = await warden.get('/api/requests?limit=1000', requestList);
  return requests.filter((request) => request.path === '/v1/messages' && request.decision !== 'balanced').reverse();
}

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

  it('keeps every turn of a conversation, over --continue, on one replica', async () => {
    const first = await claude(['-p', 'List the files. [[tool:Bash {"command":"ls"}]]', '--allowedTools', 'Bash,Read']);
    expect(first.code, first.output).toBe(0);
    const again = await claude([
      '-p',
      'And once more. [[tool:Bash {"command":"pwd"}]]',
      '--continue',
      '--allowedTools',
      'Bash,Read',
    ]);
    expect(again.code, again.output).toBe(0);

    const rows = await turns();
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(new Set(rows.map((row) => row.replica)).size).toBe(1);
    expect(rows.map((row) => row.decision)).toEqual(['placed', ...rows.slice(1).map(() => 'sticky')]);
    expect(new Set(rows.map((row) => row.session_source))).toEqual(new Set(['x-claude-code-session-id']));
    for (const row of rows) {
      expect(row.status).toBe(200);
      expect(row.prompt_tokens).toBeGreaterThan(1000);
      expect(row.cached_tokens).not.toBeNull();
      expect(row.completion_tokens).toBeGreaterThan(0);
    }
    for (const row of rows.slice(1)) expect((row.cached_tokens ?? 0) / (row.prompt_tokens ?? 1)).toBeGreaterThan(0.8);
    const { totals } = await warden.get(`/api/models/${MODEL}/routing`, routingState);
    expect(totals).toMatchObject({ in_flight: 0, placed: 1, sticky: rows.length - 1, spilled: 0, sticky_percent: 100 });
  });

  it('shows two parallel subagents and their parent as three conversations, each on its own replica throughout', async () => {
    const before = (await warden.get('/api/sessions', sessionList)).sessions.map((session) => session.key);
    const agent = (name: string, command: string): string =>
      `[[tool:Agent ${JSON.stringify({ description: name, prompt: `${name}: [[tool:Bash ${JSON.stringify({ command })}]]`, subagent_type: 'general-purpose' })}]]`;
    const run = await claude([
      '-p',
      `Ask both. ${agent('first', 'ls')} ${agent('second', 'pwd')}`,
      '--allowedTools',
      'Bash,Read,Agent,Task',
    ]);
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
