import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isKnownHost } from '#lib/access/host.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { environmentVariables } from '#server/settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Variables that mean something to the process: its own, OpenTelemetry's, and keys that a configuration names. */
function isKnownVariable(name: string): boolean {
  const own = environmentVariables({}).map((variable) => variable.name);
  return (
    own.includes(name) ||
    name.startsWith('OTEL_') ||
    ['VLLM_API_KEY', 'NODE_ENV', 'NEXT_TELEMETRY_DISABLED'].includes(name)
  );
}

/** The instructions of a Dockerfile, continued lines joined. */
function instructions(): readonly { readonly name: string; readonly rest: string }[] {
  const lines = read('deploy/Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ');
  return lines.split('\n').flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, rest }];
  });
}

describe('the Dockerfile', () => {
  const all = instructions();
  const of = (name: string): string[] => all.filter((one) => one.name === name).map(({ rest }) => rest);

  it('builds in one stage and runs in another, from bases with a version', () => {
    expect(of('FROM')).toHaveLength(2);
    const [version = ''] = of('ARG');
    expect(version).toMatch(/^NODE=(20|22)-\w+-slim$/);
    for (const from of of('FROM')) expect(from).toMatch(/^node:\$\{NODE\}/);
  });

  it('does not run as root, and says so by number', () => {
    expect(of('USER')).toEqual(['1000']);
    const afterUser = all.slice(all.findIndex(({ name }) => name === 'USER') + 1).map(({ name }) => name);
    expect(afterUser).not.toContain('RUN');
  });

  it('has a health check, and starts without a shell', () => {
    expect(of('HEALTHCHECK')).toHaveLength(1);
    expect(of('HEALTHCHECK')[0]).toContain('/healthz');
    for (const start of [...of('ENTRYPOINT'), ...of('CMD')]) expect(JSON.parse(start)).toBeInstanceOf(Array);
  });

  it('adds nothing from elsewhere, pins what it installs by the lock file, and leaves no lists behind', () => {
    expect(of('ADD')).toEqual([]);
    const runs = of('RUN').join('\n');
    expect(runs).toContain('npm ci');
    expect(runs).not.toMatch(/npm install|curl|wget|sudo/);
    expect(runs).toMatch(/apt-get install -y --no-install-recommends [^&]*&& rm -rf \/var\/lib\/apt\/lists/);
    const installed = /--no-install-recommends ([^&]*?)\s*&&/.exec(runs)?.[1]?.split(/\s+/) ?? [];
    expect(installed).toEqual([...installed].sort());
  });

  it('copies only what is there, or what the build makes', () => {
    const made = ['node_modules', '.next', 'dist'];
    for (const copy of of('COPY')) {
      const sources = copy
        .split(/\s+/)
        .slice(0, -1)
        .filter((part) => !part.startsWith('--'));
      for (const source of sources) {
        const path = source.replace(/^\/build\//, '');
        expect(made.includes(path) || existsSync(join(root, path)), source).toBe(true);
      }
    }
  });

  it('copies all that the installed package has to run', () => {
    const copied = of('COPY')
      .flatMap((copy) => copy.split(/\s+/))
      .map((source) => source.replace(/^\/build\//, ''));
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const needed = files.filter((file) => !file.startsWith('!') && !file.startsWith('deploy'));
    for (const file of needed) {
      expect(
        copied.some((source) => file === source || file.startsWith(`${source}/`)),
        file,
      ).toBe(true);
    }
  });

  it('is not sent what must not be in an image', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const path of ['.git', 'node_modules', 'data', '.env', '.next', '**/*.db']) expect(ignored).toContain(path);
  });

  it('sets only variables that are read', () => {
    const names = of('ENV').flatMap((rest) => [...rest.matchAll(/(\w+)=/g)].map(([, name = '']) => name));
    expect(names.filter((name) => !isKnownVariable(name))).toEqual([]);
  });
});

const compose = z.object({
  services: z.object({
    warden: z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()),
      stop_grace_period: z.string(),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
    }),
  }),
});

describe('the compose file', () => {
  const { warden } = compose.parse(parse(read('deploy/compose.yaml'))).services;

  it('builds the Dockerfile that is there, and gives streams time to end', () => {
    expect(existsSync(join(root, 'deploy', warden.build.context, warden.build.dockerfile))).toBe(true);
    expect(Number.parseInt(warden.stop_grace_period, 10)).toBeGreaterThan(30);
  });

  it('is reached from this machine alone, and does not start without a password', () => {
    for (const port of warden.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(warden.environment.WARDEN_ADMIN_PASSWORD).toMatch(/^\$\{WARDEN_ADMIN_PASSWORD:\?/);
  });

  it('sets only variables that are read', () => {
    expect(Object.keys(warden.environment).filter((name) => !isKnownVariable(name))).toEqual([]);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/lm-warden.service');
  const setting = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('runs the installed command, reloads by SIGHUP and gives streams time to end', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> };
    expect(setting('ExecStart')[0]?.split(' ')[0]?.split('/').at(-1)).toBe(Object.keys(bin)[0]);
    expect(setting('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
    expect(Number(setting('TimeoutStopSec')[0])).toBeGreaterThan(30);
    for (const value of setting('Environment')) expect(isKnownVariable(value.split('=')[0] ?? ''), value).toBe(true);
  });

  it('is shut in', () => {
    for (const [name, value] of [
      ['NoNewPrivileges', 'yes'],
      ['ProtectSystem', 'strict'],
      ['ProtectHome', 'yes'],
      ['PrivateTmp', 'yes'],
      ['CapabilityBoundingSet', ''],
      ['SystemCallFilter', '@system-service'],
    ] as const) {
      expect(setting(name), name).toEqual([value]);
    }
  });

  const systemd = '/usr/bin/systemd-analyze';
  it.skipIf(!existsSync(systemd))('is understood by systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lm-warden-unit-'));
    const file = join(folder, 'lm-warden.service');
    // What it starts need not be installed here.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    try {
      expect(execFileSync(systemd, ['verify', file], { stdio: 'pipe' }).toString()).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const manifest = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
const container = z.object({
  image: z.string().regex(/:(?!latest$)[\w.-]+$/),
  env: z.array(z.object({ name: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/healthz'), port: z.string() }) }),
  readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz'), port: z.string() }) }),
  resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.object({ memory: z.string() }) }),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  volumeMounts: z.array(z.object({ name: z.string() })),
});
const deployment = z.object({
  spec: z.object({
    replicas: z.literal(1),
    strategy: z.object({ type: z.literal('Recreate') }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        serviceAccountName: z.string(),
        terminationGracePeriodSeconds: z.number().min(35),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

describe('the Kubernetes manifests', () => {
  const { resources } = z
    .object({ resources: z.array(z.string()) })
    .parse(parse(read('deploy/kubernetes/kustomization.yaml')));
  const objects = resources.flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return manifest.parse(document.toJS());
    }),
  );
  const one = (kind: string) => objects.find((object) => object.kind === kind);
  const { spec } = deployment.parse(one('Deployment'));
  const { template, selector } = spec;
  const [warden] = template.spec.containers;

  it('name what is there: labels, account, ports, volumes', () => {
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    const service = z.object({ spec: z.object({ selector: z.record(z.string(), z.string()) }) }).parse(one('Service'));
    expect(template.metadata.labels).toMatchObject(service.spec.selector);
    expect(one('ServiceAccount')?.metadata.name).toBe(template.spec.serviceAccountName);
    const ports = warden.ports.map(({ name }) => name);
    for (const probe of [warden.livenessProbe, warden.readinessProbe]) expect(ports).toContain(probe.httpGet.port);
    const volumes = template.spec.volumes.map(({ name }) => name);
    for (const { name } of warden.volumeMounts) expect(volumes).toContain(name);
  });

  it('let the pod read the endpoints of a service, and nothing else', () => {
    expect(one('Role')).toMatchObject({
      rules: [{ apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] }],
    });
  });

  it('have a configuration that is right, and set only variables that are read', () => {
    const { data } = z.object({ data: z.object({ 'warden.yaml': z.string() }) }).parse(one('ConfigMap'));
    expect(parseConfig(data['warden.yaml'], { VLLM_API_KEY: 'x' })).toMatchObject({ ok: true });
    expect(warden.env.map(({ name }) => name).filter((name) => !isKnownVariable(name))).toEqual([]);
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
  });
});

describe('the fleet on one machine', () => {
  it('sets only variables that are read', () => {
    const { services } = z
      .object({
        services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).optional() })),
      })
      .parse(parse(read('deploy/fleet/compose.yaml'), { merge: true }));
    const names = Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment));
    expect(names).toContain('WARDEN_SHARED');
    expect(names.filter((name) => !isKnownVariable(name))).toEqual([]);
  });
});

describe('the fleet on Kubernetes', () => {
  const objects = parseAllDocuments(read('deploy/kubernetes-fleet/fleet.yaml')).map((document) =>
    z
      .looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }), spec: z.looseObject({}) })
      .parse(document.toJS()),
  );
  const set = z
    .object({
      serviceName: z.string(),
      template: z.object({
        metadata: z.object({ labels: z.record(z.string(), z.string()) }),
        spec: z.object({
          containers: z.tuple([
            z.object({ env: z.array(z.object({ name: z.string(), value: z.string().optional() })) }),
          ]),
        }),
      }),
    })
    .parse(objects.find(({ kind }) => kind === 'StatefulSet')?.spec);
  const [{ env }] = set.template.spec.containers;
  const variable = (name: string): string => env.find((one) => one.name === name)?.value ?? '';

  it('gives each warden a name that resolves, and is let in by it', () => {
    const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === set.serviceName);
    expect(service?.spec).toMatchObject({ clusterIP: 'None', selector: set.template.metadata.labels });
    const url = variable('WARDEN_ADVERTISE_URL').replace('$(POD_NAME)', 'lm-warden-0');
    expect(new URL(url).hostname).toBe(`lm-warden-0.${set.serviceName}`);
    const allowed = variable('WARDEN_ALLOWED_HOSTS').split(',');
    expect(isKnownHost(new URL(url).host, { bound: '0.0.0.0', allowed })).toBe(true);
  });

  it('sets only variables that are read', () => {
    const names = env.map(({ name }) => name).filter((name) => name !== 'POD_NAME');
    expect(names.filter((name) => !isKnownVariable(name))).toEqual([]);
  });
});
