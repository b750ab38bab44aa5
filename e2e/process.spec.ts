import { connect, type Socket } from 'node:net';
import { expect } from 'playwright/test';
import { type BuiltWarden, failedStart, startBuiltWarden } from './built-warden.ts';
import { routing } from './model-page.ts';
import { MODEL, openTurn } from './turns.ts';
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
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
          'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n',
      );
      expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 426 /);
    }
  });
});

test('SIGTERM lets a stream in flight end whole, takes no new request, and ends with 0', async ({ start }) => {
  const warden = await start({ WARDEN_DRAIN_SECONDS: '20' });
  const body = { stream_options: { include_usage: true } };
  const running = await openTurn(warden.url, { tokens: 250, body });
  const reading = running.finish();
  const behind = await connectTo(warden);
  behind.write(requestText({ stream: true, max_tokens: 150, ignore_eos: true }));
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
  expect(stream).toContain('"completion_tokens":250');
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

function requestText(more: object): string {
  const body = JSON.stringify({ model: MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }], ...more });
  return (
    'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n' +
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

test('SIGHUP ends nothing where there is no file to read again', async ({ warden }) => {
  warden.signal('SIGHUP');
  await expect.poll(() => warden.output()).toContain('SIGHUP');
  expect((await fetch(`${warden.url}/healthz`)).status).toBe(200);
});
