import { connect, type Socket } from 'node:net';
import { expect } from 'playwright/test';
import { processStatus } from '#lib/contract/activity.ts';
import { modelList } from '#lib/contract/models.ts';
import { type BuiltWarden, failedStart, startBuiltWarden } from './built-warden.ts';
import type { ConfigFile } from './config-file.ts';
import { routing } from './model-page.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test.describe('a start that cannot work ends at once, with what is wrong and where', () => {
  const wrongFiles = [
    { what: 'unreadable YAML', line: 3, text: 'models:\n  - name: a\n   replicas: []\n', says: 'not valid YAML' },
    {
      what: 'an unknown key',
      line: 3,
      text: 'models:\n  - name: a\n    replica: 3\n    replicas:\n      - url: http://127.0.0.1:9\n',
      says: 'unknown key models[0].replica',
    },
    {
      what: 'a variable that is not set',
      line: 3,
      text:
        'models:\n  - name: a\n    api_key: $' + '{NOBODY_SET_THIS}\n    replicas:\n      - url: http://127.0.0.1:9\n',
      says: 'NOBODY_SET_THIS',
    },
    {
      what: 'a value of the wrong kind',
      line: 3,
      text: 'models:\n  - name: a\n    spill_threshold: soon\n    replicas:\n      - url: http://127.0.0.1:9\n',
      says: 'models[0].spill_threshold',
    },
    {
      what: 'an upstream that is no address',
      line: 4,
      text: 'models:\n  - name: a\n    replicas:\n      - url: gpu-box\n',
      says: 'models[0].replicas[0].url',
    },
  ];
  for (const { what, line, text, says } of wrongFiles) {
    test(`${what} in warden.yaml`, async ({ config }) => {
      const file = config(text);
      const { code, output } = await failedStart({ WARDEN_CONFIG: file.path });
      expect(output).toContain(`${file.path}:${line}:`);
      expect(output).toContain(says);
      expect(code).toBe(1);
    });
  }

  const wrongVariables = [
    { what: 'a port that is no number', env: { WARDEN_PORT: 'http' }, says: ['WARDEN_PORT'] },
    { what: 'a port beyond the last', env: { WARDEN_PORT: '70000' }, says: ['WARDEN_PORT'] },
    { what: 'a drain time that is no number', env: { WARDEN_DRAIN_SECONDS: 'long' }, says: ['WARDEN_DRAIN_SECONDS'] },
    { what: 'an upstream that is no URL', env: { WARDEN_UPSTREAM: 'http://' }, says: ['WARDEN_UPSTREAM', 'http://'] },
    {
      what: 'a configuration file that is not there',
      env: { WARDEN_CONFIG: '/nowhere/warden.yaml' },
      says: ['/nowhere/warden.yaml'],
    },
    {
      what: 'two sources of models',
      env: { WARDEN_CONFIG: '/nowhere/warden.yaml', WARDEN_UPSTREAM: 'http://127.0.0.1:9' },
      says: ['WARDEN_CONFIG', 'WARDEN_UPSTREAM'],
    },
  ];
  for (const { what, env, says } of wrongVariables) {
    test(what, async () => {
      const { code, output } = await failedStart(env);
      for (const words of says) expect(output).toContain(words);
      expect(output).not.toMatch(/^\s+at .+:\d+/m);
      expect(code).toBe(1);
    });
  }
});

test.describe('beside a running process', () => {
  let warden: BuiltWarden;
  test.beforeAll(async () => {
    warden = await startBuiltWarden();
  });
  test.afterAll(() => warden.dispose());

  test('a port in use is named, with what to set', async () => {
    const { port } = new URL(warden.url);
    const { code, output } = await failedStart({ WARDEN_PORT: port });
    expect(output).toContain(`127.0.0.1:${port}`);
    expect(output).toContain('in use');
    expect(output).toContain('WARDEN_PORT');
    expect(code).toBe(1);
  });

  test('a data folder in use is named', async () => {
    const { code, output } = await failedStart({ WARDEN_DATA_DIR: warden.dataDir });
    expect(output).toContain(warden.dataDir);
    expect(output).toMatch(/in use|another process/);
    expect(code).toBe(1);
  });

  test('it says that it lives and that it is ready', async () => {
    const alive = await fetch(`${warden.url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await fetch(`${warden.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  test('an offer to speak another protocol is answered with 426, never left hanging', async () => {
    for (const path of ['/', '/v1/realtime', '/_next/hmr']) {
      const socket = await connectTo(warden);
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: warden\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
          'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n',
      );
      expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 426 /);
    }
  });
});

test('SIGTERM lets a stream in flight end whole, takes no new request, and ends with 0', async ({ start }) => {
  const warden = await start({ WARDEN_DRAIN_SECONDS: '20' });
  const body = { stream_options: { include_usage: true } };
  const running = await openTurn(warden.url, { tokens: 80, body });
  const reading = running.finish();
  const behind = await connectTo(warden);
  behind.write(requestText({ stream: true, max_tokens: 40, ignore_eos: true }));
  await expect.poll(async () => (await routing(warden)).totals.in_flight).toBe(2);

  const ended = warden.stop('SIGTERM');
  await expect.poll(() => warden.output()).toContain('shutting down');
  // On a connection that is still served: a request behind the one in flight is refused in the API's own shape.
  behind.write(requestText({}));
  const answers = await readToEnd(behind);
  // A new connection is refused, or answered with 503.
  const fresh = await fetch(`${warden.url}/v1/models`).then(
    ({ status }) => status,
    () => 'refused',
  );
  expect(['refused', 503]).toContain(fresh);

  const stream = await reading;
  expect(stream).toContain('"completion_tokens":80');
  expect(stream).toContain('data: [DONE]');
  expect(answers).toContain('data: [DONE]');
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
  expect(answers).toContain('shutting down');
  expect(await ended).toBe(0);
});

test('a stream longer than the drain is cut, and the process still ends with 0', async ({ start }) => {
  const warden = await start({ WARDEN_DRAIN_SECONDS: '1' });
  const running = await openTurn(warden.url, { tokens: 4000 });
  const reading = running.finish().then(
    () => 'whole',
    () => 'cut',
  );
  expect(await warden.stop('SIGTERM')).toBe(0);
  expect(await reading).toBe('cut');
});

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
    expect(await models()).toMatchObject([{ name: 'beta' }]);
  });
});

function requestText(more: object): string {
  const body = JSON.stringify({ model: MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }], ...more });
  return (
    'POST /v1/chat/completions HTTP/1.1\r\nhost: warden\r\ncontent-type: application/json\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function connectTo({ url }: BuiltWarden): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.once('end', () => resolve(text));
    socket.once('error', reject);
  });
}
