import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from 'dns-packet';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Discovery } from './discovery.ts';
import { type DnsQuestion, discoverByDns } from './dns-discovery.ts';
import { startTestDns, type TestDns } from './dns-for-tests.ts';
import { discoverByFile } from './file-discovery.ts';
import { discoverByKubernetes, podAccess } from './kubernetes-discovery.ts';
import { slice, startTestKubernetes, type TestKubernetes } from './kubernetes-for-tests.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

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

async function startDns(records: TestDns['records']): Promise<string> {
  const dns = await startTestDns(records);
  closing.push(dns.close);
  return dns.server;
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
    const records = new Map<string, readonly Answer[]>([
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
    await vi.waitFor(() => expect(troubles.at(-1)).toMatch(/cannot be asked/), { timeout: 50_000 });
    expect(lists).toEqual([]);
    silent.close();
  });
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

async function startKubernetes(): Promise<TestKubernetes> {
  const kubernetes = await startTestKubernetes();
  closing.push(kubernetes.close);
  kubernetes.state.slices = [slice('vllm-a', 10, [{ addresses: ['10.0.0.1'] }])];
  return kubernetes;
}

describe('replicas by Kubernetes EndpointSlices', () => {
  const question = { service: 'vllm', namespace: null, port: 'http', scheme: 'http' } as const;
  const SLICES = '/apis/discovery.k8s.io/v1/namespaces/inference/endpointslices';
  const isList = ({ query }: TestKubernetes['asked'][number]): boolean => !query.has('watch');

  /** Discovers as in a pod, and waits until what is there is known and watched. */
  async function discover(api: TestKubernetes) {
    const { lists, troubles, events } = listener();
    watched(discoverByKubernetes(question, podAccess(api.env), events));
    await until(() => expect(lists).toEqual([['http://10.0.0.1:8000']]));
    return { lists, troubles };
  }
  const untilWatched = (api: TestKubernetes) => until(() => expect(api.isWatched()).toBe(true));

  it('lists by TLS with the service account, then follows the watch', async () => {
    const api = await startKubernetes();
    const { lists } = await discover(api);
    await untilWatched(api);
    const [list, watch] = api.asked;
    expect(list).toMatchObject({ path: SLICES, token: 'first-token' });
    expect(list?.query.get('labelSelector')).toBe('kubernetes.io/service-name=vllm');
    expect(watch).toMatchObject({ path: SLICES, token: 'first-token' });
    expect(watch?.query.get('resourceVersion')).toBe('10');
    expect(watch?.query.get('allowWatchBookmarks')).toBe('true');
    const added = [{ addresses: ['10.0.0.2'] }, { addresses: ['10.0.0.3'], conditions: { ready: false } }];
    api.send('ADDED', slice('vllm-b', 11, added));
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.1:8000', 'http://10.0.0.2:8000']));
    const leaving = [{ addresses: ['10.0.0.1'], conditions: { ready: true, terminating: true } }];
    api.send('MODIFIED', slice('vllm-a', 12, leaving));
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.2:8000']));
  });

  it('takes out a slice that was deleted, and keeps the last known where all are', async () => {
    const api = await startKubernetes();
    api.state.slices = [...api.state.slices, slice('vllm-b', 9, [{ addresses: ['10.0.0.2'] }])];
    const { lists, troubles, events } = listener();
    watched(discoverByKubernetes(question, podAccess(api.env), events));
    await untilWatched(api);
    expect(lists).toEqual([['http://10.0.0.1:8000', 'http://10.0.0.2:8000']]);
    api.send('DELETED', slice('vllm-a', 11, [{ addresses: ['10.0.0.1'] }]));
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.2:8000']));
    api.send('DELETED', slice('vllm-b', 12, [{ addresses: ['10.0.0.2'] }]));
    await until(() => expect(troubles.at(-1)).toMatch(/names no replica; those known before stay/));
    expect(lists).toHaveLength(2);
  });

  it('goes on from the last version when a watch ends, with the token of then', async () => {
    const api = await startKubernetes();
    const { lists } = await discover(api);
    await untilWatched(api);
    api.send('BOOKMARK', { metadata: { resourceVersion: '42' } });
    api.renewToken();
    await until(() => {
      api.endWatches();
      expect(api.asked.at(-1)?.token).toBe('second-token');
    });
    expect(api.asked.at(-1)?.query.get('resourceVersion')).toBe('42');
    expect(api.asked.filter(isList)).toHaveLength(1);
    await untilWatched(api);
    api.send('ADDED', slice('vllm-b', 43, [{ addresses: ['10.0.0.2'] }]));
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.1:8000', 'http://10.0.0.2:8000']));
  });

  it.each(['event', 'status'] as const)('lists anew when the history is gone, told by %s', async (way) => {
    const api = await startKubernetes();
    api.state.gone = way;
    const { lists, troubles } = await discover(api);
    api.state.slices = [slice('vllm-a', 20, [{ addresses: ['10.0.0.9'] }])];
    await until(() => expect(lists.at(-1)).toEqual(['http://10.0.0.9:8000']));
    expect(api.asked.filter(isList)).toHaveLength(2);
    // It is in the order of things, and nothing that a person has to know.
    expect(troubles).toEqual([]);
  });

  it('takes a breath between watches that something on the way ends at once', async () => {
    const api = await startKubernetes();
    api.state.watchesEndAtOnce = true;
    const startedAt = performance.now();
    await discover(api);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // Two a second, and those of the beginning, however long the second was.
    expect(api.asked.length).toBeLessThan(4 + (2 * (performance.now() - startedAt)) / 1000);
    api.state.watchesEndAtOnce = false;
    await untilWatched(api);
  });

  it('says what the service account lacks, keeps what it knew, and tries again', async () => {
    const api = await startKubernetes();
    const { lists, troubles } = await discover(api);
    await untilWatched(api);
    api.state.status = 403;
    api.endWatches();
    await until(() => expect(troubles.at(-1)).toMatch(/may not list and watch endpointslices/));
    expect(lists).toHaveLength(1);
    api.state.status = 200;
    await until(() => expect(troubles.at(-1)).toBeNull());
  });

  it('tells its token to nobody whose certificate is not by the authority of the account', async () => {
    const [api, impostor] = [await startKubernetes(), await startKubernetes()];
    const { lists, troubles, events } = listener();
    const env = { ...impostor.env, WARDEN_KUBERNETES_ACCOUNT: api.env.WARDEN_KUBERNETES_ACCOUNT };
    watched(discoverByKubernetes(question, podAccess(env), events));
    await until(() => expect(troubles.at(-1)).toMatch(/cannot be asked: .*(certificate|verify)/));
    expect(impostor.asked).toEqual([]);
    expect(lists).toEqual([]);
  });

  it('works in a pod only, unless told where an account is', () => {
    expect(() => podAccess({})).toThrow(/works inside a pod/);
    const access = podAccess({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' });
    expect(access).toEqual({
      apiServer: 'https://[fd00::1]:443',
      accountFolder: '/var/run/secrets/kubernetes.io/serviceaccount',
    });
  });
});
