import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import dnsPacket, { type Answer } from 'dns-packet';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Discovery } from './discovery.ts';
import { type DnsQuestion, discoverByDns } from './dns-discovery.ts';
import { discoverByFile } from './file-discovery.ts';
import { discoverByKubernetes } from './kubernetes-discovery.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

/** What a discovery has told, newest last. */
function listener() {
  const lists: (readonly string[])[] = [];
  const troubles: (string | null)[] = [];
  return {
    lists,
    troubles,
    events: {
      onReplicas: (urls: readonly string[]) => lists.push(urls),
      onTrouble: (message: string | null) => troubles.push(message),
      log: pino({ level: 'silent' }),
    },
  };
}

const watched = (discovery: Discovery) => closing.push(() => discovery.close());

/** A name server on loopback that gives the answers of `records`. */
async function startDns(records: Map<string, Answer[]>): Promise<string> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { id, questions } = dnsPacket.decode(message);
    const [question] = questions ?? [];
    const answers = records.get(`${question?.type} ${question?.name}`) ?? [];
    const reply = dnsPacket.encode({ type: 'response', id: id ?? 0, questions: questions ?? [], answers });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closing.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const address = (data: string): Answer => ({ type: 'A', name: 'vllm.test', data });

describe('replicas by DNS', () => {
  const question = (server: string, changes: Partial<DnsQuestion> = {}): DnsQuestion => ({
    kind: 'address',
    name: 'vllm.test',
    port: 8000,
    scheme: 'http',
    refreshSeconds: 0.05,
    servers: [server],
    ...changes,
  });

  it('takes every address of both families, and follows them', async () => {
    const records = new Map<string, Answer[]>([
      ['A vllm.test', [address('10.0.0.2'), address('10.0.0.1')]],
      ['AAAA vllm.test', [{ type: 'AAAA', name: 'vllm.test', data: 'fd00::1' }]],
    ]);
    const { lists, events } = listener();
    watched(discoverByDns(question(await startDns(records)), events));
    await until(() =>
      expect(lists).toEqual([['http://10.0.0.1:8000', 'http://10.0.0.2:8000', 'http://[fd00::1]:8000']]),
    );
    records.set('A vllm.test', [address('10.0.0.3')]);
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.3:8000', 'http://[fd00::1]:8000']));
  });

  it('takes the names and ports of the SRV records of the highest priority', async () => {
    const srv = (target: string, port: number, priority: number): Answer => ({
      type: 'SRV',
      name: '_http._tcp.vllm.test',
      data: { target, port, priority, weight: 1 },
    });
    const records = new Map([
      ['SRV _http._tcp.vllm.test', [srv('b.test', 8001, 10), srv('a.test', 8000, 10), srv('spare.test', 1, 20)]],
    ]);
    const { lists, events } = listener();
    const server = await startDns(records);
    watched(discoverByDns(question(server, { kind: 'srv', name: '_http._tcp.vllm.test', scheme: 'https' }), events));
    await until(() => expect(lists).toEqual([['https://a.test:8000', 'https://b.test:8001']]));
  });

  it('keeps what it knew while the name has no records, and says so', async () => {
    const records = new Map([['A vllm.test', [address('10.0.0.1')]]]);
    const { lists, troubles, events } = listener();
    watched(discoverByDns(question(await startDns(records)), events));
    await until(() => expect(lists).toHaveLength(1));
    records.clear();
    await until(() => expect(troubles.at(-1)).toMatch(/names no replica; those known before stay/));
    expect(lists).toHaveLength(1);
    records.set('A vllm.test', [address('10.0.0.1')]);
    await until(() => expect(troubles.at(-1)).toBeNull());
  });

  it('goes on asking a name server that does not answer', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address();
    const { lists, troubles, events } = listener();
    watched(discoverByDns(question(`127.0.0.1:${port}`), events));
    await vi.waitFor(() => expect(troubles.at(-1)).toMatch(/cannot be asked/), { timeout: 25_000 });
    expect(lists).toEqual([]);
    silent.close();
  }, 30_000);
});

describe('replicas by a file', () => {
  it('reads a list, follows its changes, and keeps the last good one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warden-discovery-'));
    closing.push(() => rm(folder, { recursive: true }));
    const path = join(folder, 'replicas.yaml');
    await writeFile(path, '- http://b:8000/v1\n- url: http://a:8000\n');
    const { lists, troubles, events } = listener();
    watched(discoverByFile(path, events));
    await until(() => expect(lists).toEqual([['http://a:8000', 'http://b:8000']]));
    await writeFile(path, '- ftp://nobody\n');
    await until(() => expect(troubles.at(-1)).toMatch(/is not an http/));
    await writeFile(path, '["http://c:8000"]');
    await until(() => expect(lists.at(-1)).toEqual(['http://c:8000']));
    expect(troubles.at(-1)).toBeNull();
  });
});

type Endpoint = { addresses: string[]; conditions?: { ready?: boolean; terminating?: boolean } };
const slice = (name: string, version: number, endpoints: Endpoint[]) => ({
  metadata: { name, resourceVersion: String(version), labels: { 'kubernetes.io/service-name': 'vllm' } },
  addressType: 'IPv4',
  ports: [
    { name: 'metrics', port: 9000, protocol: 'TCP' },
    { name: 'http', port: 8000, protocol: 'TCP' },
  ],
  endpoints,
});

/** Speaks the two requests of the Kubernetes API that are made of it: a list, and a watch from a version on. */
async function startApiServer() {
  const asked: string[] = [];
  const state = {
    version: 10,
    slices: [slice('vllm-a', 10, [{ addresses: ['10.0.0.1'] }])],
    status: 200,
    gone: false,
    endsAtOnce: false,
  };
  const watches = new Set<ServerResponse>();
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const url = new URL(req.url ?? '', 'http://api');
    asked.push(`${url.pathname}?${url.searchParams} ${req.headers.authorization}`);
    if (state.status !== 200) return void res.writeHead(state.status).end();
    res.writeHead(200, { 'content-type': 'application/json' });
    if (url.searchParams.get('watch') !== '1') {
      res.end(
        JSON.stringify({
          kind: 'EndpointSliceList',
          metadata: { resourceVersion: String(state.version) },
          items: state.slices,
        }),
      );
    } else if (state.gone) {
      state.gone = false;
      res.end(
        `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } })}\n`,
      );
    } else if (state.endsAtOnce) {
      res.end();
    } else {
      res.flushHeaders();
      watches.add(res);
      res.on('close', () => watches.delete(res));
    }
  };
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const folder = await mkdtemp(join(tmpdir(), 'warden-account-'));
  closing.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'token'), 'first-token\n');
  await writeFile(join(folder, 'namespace'), 'inference');
  return {
    asked,
    state,
    access: { apiServer: `http://127.0.0.1:${bound.port}`, accountFolder: folder },
    renewToken: () => writeFile(join(folder, 'token'), 'second-token\n'),
    isWatched: () => watches.size > 0,
    send: (event: unknown) => {
      for (const res of watches) res.write(`${JSON.stringify(event)}\n`);
    },
    endWatches: () => {
      for (const res of watches) res.end();
    },
  };
}

describe('replicas by Kubernetes EndpointSlices', () => {
  const question = { service: 'vllm', namespace: null, port: 'http', scheme: 'http' } as const;

  it('lists with the service account, then follows the watch', async () => {
    const api = await startApiServer();
    const { lists, events } = listener();
    watched(discoverByKubernetes(question, api.access, events));
    await until(() => expect(lists).toEqual([['http://10.0.0.1:8000']]));
    await until(() => expect(api.isWatched()).toBe(true));
    expect(api.asked[0]).toBe(
      '/apis/discovery.k8s.io/v1/namespaces/inference/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dvllm Bearer first-token',
    );
    expect(api.asked[1]).toContain('resourceVersion=10');
    api.send({
      type: 'ADDED',
      object: slice('vllm-b', 11, [
        { addresses: ['10.0.0.2'] },
        { addresses: ['10.0.0.3'], conditions: { ready: false } },
      ]),
    });
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.1:8000', 'http://10.0.0.2:8000']));
    api.send({
      type: 'MODIFIED',
      object: slice('vllm-a', 12, [{ addresses: ['10.0.0.1'], conditions: { ready: true, terminating: true } }]),
    });
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.2:8000']));
  });

  it('goes on from the last version when a watch ends, with the token of then', async () => {
    const api = await startApiServer();
    const { lists, events } = listener();
    watched(discoverByKubernetes(question, api.access, events));
    await until(() => expect(api.isWatched()).toBe(true));
    api.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '42' } } });
    await api.renewToken();
    await until(() => {
      api.endWatches();
      expect(api.asked.at(-1)).toMatch(/resourceVersion=42.* Bearer second-token/);
    });
    expect(lists).toHaveLength(1);
  });

  it('lists anew when the history is gone', async () => {
    const api = await startApiServer();
    api.state.gone = true;
    const { lists, events } = listener();
    watched(discoverByKubernetes(question, api.access, events));
    await until(() => expect(lists).toHaveLength(1));
    api.state.slices = [slice('vllm-a', 20, [{ addresses: ['10.0.0.9'] }])];
    api.endWatches();
    await until(() => expect(api.asked.filter((one) => !one.includes('watch=1')).length).toBeGreaterThanOrEqual(2));
  });

  it('takes a breath between watches that something on the way ends at once', async () => {
    const api = await startApiServer();
    api.state.endsAtOnce = true;
    const { lists, events } = listener();
    watched(discoverByKubernetes(question, api.access, events));
    await until(() => expect(lists).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(api.asked.length).toBeLessThan(6);
    api.state.endsAtOnce = false;
    await until(() => expect(api.isWatched()).toBe(true));
  });

  it('says what the service account lacks, keeps what it knew, and tries again', async () => {
    const api = await startApiServer();
    const { lists, troubles, events } = listener();
    watched(discoverByKubernetes(question, api.access, events));
    await until(() => expect(api.isWatched()).toBe(true));
    api.state.status = 403;
    api.endWatches();
    await until(() => expect(troubles.at(-1)).toMatch(/may not list and watch endpointslices/));
    expect(lists).toHaveLength(1);
    api.state.status = 200;
    await until(() => expect(troubles.at(-1)).toBeNull());
  });
});
