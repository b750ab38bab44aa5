import { expect } from 'playwright/test';
import { processStatus } from '#lib/contract/activity.ts';
import { modelList } from '#lib/contract/models.ts';
import type { BuiltWarden } from './built-warden.ts';
import type { ConfigFile } from './config-file.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test.describe('a warden.yaml that changes while the process runs', () => {
  let file: ConfigFile;
  let warden: BuiltWarden;
  let write: (name: string, more?: string) => void;
  test.beforeEach(async ({ start, engine, config }) => {
    const text = (name: string, more = '') =>
      `models:\n  - name: ${name}\n    served_model_name: ${MODEL}\n    max_num_seqs: 32\n    replicas:\n      - url: ${engine.url}\n${more}`;
    file = config(text('alpha'));
    write = (name, more) => file.write(text(name, more));
    warden = await start({ WARDEN_CONFIG: file.path });
  });
  const models = async () => (await warden.get('/api/models', modelList)).models;
  const warnings = async () => (await warden.get('/api/status', processStatus)).warnings;

  test('is in force without a restart, and cuts no stream', async () => {
    const body = { model: 'alpha', stream_options: { include_usage: true } };
    const running = await openTurn(warden.url, { tokens: 200, body });
    const reading = running.finish();

    write('alpha', '    aliases: ["gpt-*"]\n    spill_threshold: 5\n');
    await expect.poll(models).toMatchObject([{ name: 'alpha', aliases: ['gpt-*'], spill_threshold: 5 }]);
    expect((await sendTurn(warden.url, { body: { model: 'gpt-4o' } })).status).toBe(200);

    write('beta');
    await expect.poll(models).toMatchObject([{ name: 'beta' }]);
    expect((await sendTurn(warden.url, { body: { model: 'alpha' } })).status).toBe(404);
    expect((await sendTurn(warden.url, { body: { model: 'beta' } })).status).toBe(200);

    const stream = await reading;
    expect(stream).toContain('"completion_tokens":200');
    expect(stream).toContain('data: [DONE]');
  });

  test('still counts the requests that were in flight when it changed', async () => {
    const running = await openTurn(warden.url, { tokens: 2000, body: { model: 'alpha' } });
    await expect.poll(models).toMatchObject([{ in_flight: 1 }]);
    write('alpha', '    aliases: ["gpt-*"]\n');
    await expect.poll(models).toMatchObject([{ aliases: ['gpt-*'] }]);
    expect(await models()).toMatchObject([{ in_flight: 1 }]);
    running.leave();
    await expect.poll(models).toMatchObject([{ in_flight: 0 }]);
  });

  test('keeps the one before in force where it is wrong, and says what is wrong until it is mended', async () => {
    write('beta', '    bogus: 1\n');
    await expect
      .poll(warnings)
      .toEqual([
        { code: 'configuration', message: expect.stringContaining(`${file.path}:7: unknown key models[0].bogus`) },
      ]);
    expect(await models()).toMatchObject([{ name: 'alpha' }]);
    expect((await sendTurn(warden.url, { body: { model: 'alpha' } })).status).toBe(200);
    file.remove();
    await expect.poll(warnings).toEqual([{ code: 'configuration', message: expect.stringContaining('cannot read') }]);
    expect((await sendTurn(warden.url, { body: { model: 'alpha' } })).status).toBe(200);
    write('beta');
    await expect.poll(warnings).toEqual([]);
    await expect.poll(models).toMatchObject([{ name: 'beta' }]);
  });
});
