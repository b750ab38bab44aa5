import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import { RECORDINGS, type Recording, readRecording, shapeOfAnswer } from '#server/simulated-fleet/recorded-vllm.ts';
import { EXCHANGES, type RecordedRequest } from './exchanges.ts';
import { API_KEY } from './global-setup.ts';
import { scrubBody, scrubMetrics } from './scrub.ts';

/** `WARDEN_VLLM_RECORD=1` writes the fixtures anew instead of comparing with them. */
const isRecording = process.env.WARDEN_VLLM_RECORD === '1';

const urlOf = (target: RecordedRequest['target']): string =>
  (target === 'oneUrl' ? inject('oneUrl') : inject('twoServers')[0]) ?? '';

async function perform({ target, method, path, headers, body }: RecordedRequest): Promise<Recording> {
  const answer = await fetch(urlOf(target) + path, {
    method,
    headers,
    body: body === null ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = scrubBody(await answer.text());
  const contentType = answer.headers.get('content-type');
  const isJson = contentType?.startsWith('application/json') ?? false;
  return {
    method,
    path,
    headers,
    request: body,
    status: answer.status,
    contentType,
    response: isJson ? JSON.parse(text) : text,
  };
}

const readMetrics = async (target: RecordedRequest['target']): Promise<string> => {
  const key = target === 'server' ? { authorization: `Bearer ${API_KEY}` } : {};
  return scrubMetrics(await (await fetch(`${urlOf(target)}/metrics`, { headers: key })).text());
};

function write(file: string, content: string): void {
  mkdirSync(RECORDINGS, { recursive: true });
  writeFileSync(new URL(file, RECORDINGS), content);
}

describe.runIf(isRecording)('recording', () => {
  it('writes the metrics of a fresh engine, every exchange, and the metrics afterwards', async () => {
    const first = await readMetrics('oneUrl');
    const isFresh = readEngine(first, 0).ranks.every(({ promptTokens }) => promptTokens === 0);
    if (isFresh) write('metrics-two-ranks-fresh.txt', first);
    for (const request of EXCHANGES) {
      write(`${request.name}.json`, `${JSON.stringify(await perform(request), null, 1)}\n`);
    }
    write('metrics-two-ranks.txt', await readMetrics('oneUrl'));
    await fetch(`${urlOf('server')}/v1/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
      body: JSON.stringify({ model: 'tiny', prompt: 'hello world', max_tokens: 2 }),
    });
    write('metrics-one-rank.txt', await readMetrics('server'));
    const info = await (await fetch(`${urlOf('oneUrl')}/server_info?config_format=json`)).json();
    const { max_num_seqs, max_num_batched_tokens, policy } = info.vllm_config.scheduler_config;
    const scheduler = { scheduler_config: { max_num_seqs, max_num_batched_tokens, policy } };
    write('server-info.json', `${JSON.stringify({ vllm_config: scheduler }, null, 1)}\n`);
  });
});

describe.skipIf(isRecording)('this engine answers as the recorded one did', () => {
  it.each(EXCHANGES)('$name', async (request) => {
    const recorded = readRecording(request.name);
    const answered = await perform(request);
    expect({ status: answered.status, contentType: answered.contentType }).toEqual({
      status: recorded.status,
      contentType: recorded.contentType,
    });
    expect(shapeOfAnswer(answered.response)).toEqual(shapeOfAnswer(recorded.response));
  });

  it('shows every rank and every number that the product reads on /metrics', async () => {
    const reading = readEngine(await readMetrics('oneUrl'), 0);
    expect(reading.ranks.map(({ rank }) => rank)).toEqual([0, 1]);
    for (const rank of reading.ranks) expect(Object.values(rank)).not.toContain(null);
  });
});
