import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '#lib/config/parse-config.ts';
import { sessionId } from '#lib/routing/session-key.ts';
import { readSettings } from '#server/settings.ts';
import { readSharedUrl } from './shared-url.ts';

const folder = new URL('../../deploy/fleet/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** What the process takes to save and close at most, after its drain: server/index.ts. */
const CLOSING_SECONDS = 10;

/** A body that names no session. */
const NO_SIGNALS = { metadataUserId: null, promptCacheKey: null, user: null };

const compose = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        image: z.string().optional(),
        environment: z.record(z.string(), z.string()).optional(),
        volumes: z.array(z.string()).optional(),
        ports: z.array(z.string()).optional(),
      }),
    ),
    volumes: z.record(z.string(), z.object({})),
  })
  .parse(parse(read('compose.yaml'), { merge: true }));

/** What the one who starts it sets. */
const SECRETS_SET = {
  WARDEN_ADMIN_PASSWORD: 'correct horse battery',
  WARDEN_METRICS_TOKEN: 'a token for Prometheus',
  WARDEN_SHARED_SECRET: 'a secret of the fleet',
};

/** Made by the one who starts it: a secret. */
const SECRETS = new Set(['./metrics-token']);

describe('deploy/fleet', () => {
  it('mounts files that are there, and volumes that are declared', () => {
    for (const { volumes = [] } of Object.values(compose.services)) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (SECRETS.has(source)) continue;
        const isThere = source.startsWith('.') ? existsSync(new URL(source, folder)) : source in compose.volumes;
        expect(isThere, source).toBe(true);
      }
    }
  });

  it('has three wardens that share one memory, each with its own data and address', () => {
    const wardens = Object.entries(compose.services).filter(([name]) => name.startsWith('warden-'));
    expect(wardens).toHaveLength(3);
    const [first] = wardens;
    for (const [, { environment }] of wardens) {
      expect(environment?.WARDEN_SHARED).toBe(first?.[1].environment?.WARDEN_SHARED);
      const { nodes } = readSharedUrl(environment?.WARDEN_SHARED ?? '');
      expect(Object.keys(compose.services)).toContain(nodes[0].host);
    }
    expect(new Set(wardens.map(([, { environment }]) => environment?.WARDEN_ADVERTISE_URL)).size).toBe(3);
    expect(new Set(wardens.map(([, { volumes }]) => volumes?.at(-1))).size).toBe(3);
  });

  it('tells the wardens to ask one another by the names of their services', () => {
    const wardens = Object.entries(compose.services).filter(([name]) => name.startsWith('warden-'));
    for (const [name, { environment = {}, ports = [] }] of wardens) {
      const settings = readSettings({ ...environment, WARDEN_CONFIG: 'warden.yaml', ...SECRETS_SET });
      expect(settings.memberUrl).toBe(`http://${name}:8090`);
      // What browsers are told leads to the port that is opened for that warden.
      expect(ports).toEqual([`127.0.0.1:${new URL(settings.advertiseUrl ?? '').port}:8090`]);
    }
  });

  it('opens ports on loopback only', () => {
    for (const { ports = [] } of Object.values(compose.services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('gives the wardens a configuration that is right, with and without a key for the engines', () => {
    for (const key of ['', 'k']) {
      expect(parseConfig(read('warden.yaml'), { VLLM_API_KEY: key })).toMatchObject({ ok: true });
    }
  });

  it('lets nginx pass the headers that name a session, and spread by them', () => {
    const nginx = read('nginx.conf');
    expect(nginx).toContain('underscores_in_headers on;');
    const [, key = ''] = /^map "([^"]+)" \$conversation/m.exec(nginx) ?? [];
    const names = [...key.matchAll(/\$http_(\w+)/g)].map(([, name = '']) => name.replaceAll('_', '-'));
    for (const name of names) {
      const headers = { [name]: '0197b2f0-1111-7000-8000-000000000001' };
      expect(sessionId({ headers, body: NO_SIGNALS }), name).not.toBeNull();
    }
    expect(names).toContain('x-claude-code-session-id');
  });

  it('lets the console go to every warden, and keeps a browser at one', () => {
    const [, body = ''] = /upstream console \{([^}]*)\}/.exec(read('nginx.conf')) ?? [];
    expect(body).toContain('hash $remote_addr consistent;');
    expect([...body.matchAll(/server (warden-\d)/g)].map(([, name]) => name)).toEqual([
      'warden-1',
      'warden-2',
      'warden-3',
    ]);
    expect(body).not.toContain('backup');
  });

  it('gives all wardens one secret, so that keys and people are shared', () => {
    const wardens = Object.entries(compose.services).filter(([name]) => name.startsWith('warden-'));
    for (const name of ['WARDEN_SHARED_SECRET', 'WARDEN_ADMIN_PASSWORD']) {
      const values = wardens.map(([, { environment }]) => environment?.[name]);
      expect(values[0], name).toBeDefined();
      expect(new Set(values).size, name).toBe(1);
    }
  });

  it('names services that are there in nginx and Prometheus', () => {
    const named = [
      ...read('nginx.conf').matchAll(/server ([a-z0-9-]+):/g),
      ...read('prometheus.yml').matchAll(/"([a-z0-9-]+):\d+"/g),
    ];
    expect(named.length).toBeGreaterThanOrEqual(9);
    for (const [, name = ''] of named) expect(Object.keys(compose.services)).toContain(name);
  });
});

describe('deploy/kubernetes-fleet', () => {
  const manifest = z.object({
    kind: z.string(),
    spec: z.object({
      replicas: z.number().optional(),
      maxUnavailable: z.number().optional(),
      minReadySeconds: z.number().optional(),
      template: z
        .object({
          spec: z.object({
            serviceAccountName: z.string().optional(),
            terminationGracePeriodSeconds: z.number().optional(),
            containers: z.array(
              z.object({
                env: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
                lifecycle: z
                  .object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) })
                  .optional(),
              }),
            ),
          }),
        })
        .optional(),
    }),
  });
  const text = readFileSync(new URL('../../deploy/kubernetes-fleet/fleet.yaml', import.meta.url), 'utf8');
  const all = parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));
  const [wardens, budget] = ['StatefulSet', 'PodDisruptionBudget'].map((kind) => all.find((one) => one.kind === kind));

  it('has three wardens of one service that share a memory, and lets one go at a time', () => {
    expect(wardens).toMatchObject({ spec: { replicas: 3 } });
    expect(budget).toMatchObject({ spec: { maxUnavailable: 1 } });
    const { env = [] } = wardens?.spec.template?.spec.containers[0] ?? {};
    const shared = env.find(({ name }) => name === 'WARDEN_SHARED')?.value ?? '';
    expect(readSharedUrl(shared)).toMatchObject({ kind: 'server', nodes: [{ host: 'valkey', port: 6379 }] });
  });

  it('keeps a client at one warden, and lets the wardens alone reach the memory', () => {
    const folder = new URL('../../deploy/kubernetes-fleet/', import.meta.url);
    const { patches } = z
      .object({ patches: z.array(z.object({ patch: z.string() })) })
      .parse(parse(readFileSync(new URL('kustomization.yaml', folder), 'utf8')));
    const service = patches.map(({ patch }) => parse(patch)).find(({ kind }) => kind === 'Service');
    expect(service).toMatchObject({ metadata: { name: 'lm-warden' }, spec: { sessionAffinity: 'ClientIP' } });
    const documents = parseAllDocuments(readFileSync(new URL('valkey.yaml', folder), 'utf8')).map((one) => one.toJS());
    const policy = documents.find(({ kind }) => kind === 'NetworkPolicy');
    const valkey = documents.find(({ kind }) => kind === 'Deployment');
    expect(valkey.spec.template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
    const [{ from, ports }] = policy.spec.ingress;
    expect(from).toEqual([{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'lm-warden' } } }]);
    expect(valkey.spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name)).toEqual(
      ports.map(({ port }: { port: string }) => port),
    );
  });

  it('lets a pod serve until balancers know that it goes, and gives it the time for that, its drain and its end', () => {
    const { terminationGracePeriodSeconds = 0, containers = [] } = wardens?.spec.template?.spec ?? {};
    const [command, seconds] = containers[0]?.lifecycle?.preStop.exec.command ?? [];
    expect(command).toBe('sleep');
    expect(Number(seconds)).toBeGreaterThanOrEqual(10);
    const drainSeconds = containers[0]?.env?.find(({ name }) => name === 'WARDEN_DRAIN_SECONDS')?.value;
    const settings = readSettings({ WARDEN_UPSTREAM: 'http://a', WARDEN_DRAIN_SECONDS: drainSeconds });
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      Number(seconds) + settings.drainSeconds + CLOSING_SECONDS,
    );
    expect(wardens?.spec.minReadySeconds).toBeGreaterThanOrEqual(5);
  });
});
