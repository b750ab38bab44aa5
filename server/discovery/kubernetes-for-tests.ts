import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '#server/certificates-for-tests.ts';

export type Endpoint = {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean; readonly terminating?: boolean };
};

/** An EndpointSlice of the service `vllm`, as the API has it, with the port `http` and one before it. */
export const slice = (name: string, version: number, endpoints: readonly Endpoint[], port = 8000) => ({
  metadata: { name, resourceVersion: String(version), labels: { 'kubernetes.io/service-name': 'vllm' } },
  addressType: 'IPv4',
  ports: [
    { name: 'metrics', port: 9000, protocol: 'TCP' },
    { name: 'http', port, protocol: 'TCP' },
  ],
  endpoints,
});

type Slice = ReturnType<typeof slice>;
type Asked = { readonly path: string; readonly query: URLSearchParams; readonly token: string };

export type TestKubernetes = {
  /** What was asked, oldest first. */
  readonly asked: readonly Asked[];
  readonly state: {
    version: number;
    slices: readonly Slice[];
    /** Of every answer; 200 is an answer. */
    status: number;
    /** The next watch is told that its version is gone: by an event of the stream, or by the status. */
    gone: 'event' | 'status' | null;
    watchesEndAtOnce: boolean;
  };
  /** As in a pod: where the API server is, and where the account's files are. */
  readonly env: Readonly<Record<string, string>>;
  /** Kubernetes replaces the token every hour; the old one is refused from then on. */
  renewToken(): void;
  isWatched(): boolean;
  /** An event to all who watch. */
  send(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: object): void;
  endWatches(): void;
  close(): void;
};

/** Speaks the two requests of the Kubernetes API that are made of it, by TLS: a list, and a watch from a version on. */
export async function startTestKubernetes(): Promise<TestKubernetes> {
  const certificates = makeCertificates();
  const account = mkdtempSync(join(tmpdir(), 'warden-account-'));
  copyFileSync(certificates.ca, join(account, 'ca.crt'));
  writeFileSync(join(account, 'namespace'), 'inference');
  let token = '';
  const setToken = (value: string): void => {
    token = value;
    writeFileSync(join(account, 'token'), `${value}\n`);
  };
  setToken('first-token');

  const asked: Asked[] = [];
  const watches = new Set<ServerResponse>();
  const state: TestKubernetes['state'] = {
    version: 10,
    slices: [],
    status: 200,
    gone: null,
    watchesEndAtOnce: false,
  };
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'https://api');
    const given = (req.headers.authorization ?? '').replace(/^Bearer /, '');
    asked.push({ path: pathname, query: searchParams, token: given });
    if (given !== token) return void res.writeHead(401).end();
    if (state.status !== 200) return void res.writeHead(state.status).end();
    if (searchParams.get('watch') === '1') watch(res);
    else list(res);
  };
  const list = (res: ServerResponse): void => {
    const metadata = { resourceVersion: String(state.version) };
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ kind: 'EndpointSliceList', metadata, items: state.slices }));
  };
  const watch = (res: ServerResponse): void => {
    const { gone } = state;
    state.gone = null;
    if (gone === 'status') return void res.writeHead(410).end();
    res.writeHead(200, { 'content-type': 'application/json' });
    if (gone === 'event') {
      const object = { kind: 'Status', code: 410, message: 'too old resource version' };
      res.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
    } else if (state.watchesEndAtOnce) {
      res.end();
    } else {
      res.flushHeaders();
      watches.add(res);
      res.on('close', () => watches.delete(res));
    }
  };
  const files = { key: readFileSync(certificates.key), cert: readFileSync(certificates.cert) };
  const server = createServer(files, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return {
    asked,
    state,
    env: {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(bound.port),
      WARDEN_KUBERNETES_ACCOUNT: account,
    },
    renewToken: () => setToken('second-token'),
    isWatched: () => watches.size > 0,
    send(type, object) {
      for (const res of watches) res.write(`${JSON.stringify({ type, object })}\n`);
    },
    endWatches() {
      for (const res of watches) res.end();
      watches.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
      certificates.remove();
      rmSync(account, { recursive: true });
    },
  };
}
