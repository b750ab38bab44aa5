import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { createTelling, type Discovery, type DiscoveryEvents, hostInUrl } from './discovery.ts';
import { type EndpointSlice, endpointSlice, type PortChoice, urlsOfSlices } from './endpoint-slices.ts';
import { jsonLines } from './json-lines.ts';

export type KubernetesQuestion = PortChoice & {
  readonly service: string;
  /** Null: the pod's own. */
  readonly namespace: string | null;
};

/** Where a pod finds the API server and its service account. */
export type KubernetesAccess = {
  readonly apiServer: string;
  /** Holds `token`, `ca.crt` and `namespace`. */
  readonly accountFolder: string;
};

const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const WATCH_SECONDS = 300;
const LONGEST_PAUSE_MS = 30_000;
const SHORTEST_WATCH_MS = 500;

const sliceList = z.object({ metadata: z.object({ resourceVersion: z.string() }), items: z.array(endpointSlice) });
const watchEvent = z.union([
  z.object({ type: z.enum(['ADDED', 'MODIFIED', 'DELETED']), object: endpointSlice }),
  z.object({ type: z.literal('BOOKMARK'), object: z.object({ metadata: z.object({ resourceVersion: z.string() }) }) }),
  z.object({
    type: z.literal('ERROR'),
    object: z.object({ code: z.number().nullish(), message: z.string().nullish() }),
  }),
]);

/**
 * The access of the pod that this process runs in; throws where it runs in none. Elsewhere the same variables and a
 * folder (`WARDEN_KUBERNETES_ACCOUNT`) that has what a pod's has will do.
 */
export function podAccess(env: Readonly<Record<string, string | undefined>>): KubernetesAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host === undefined || port === undefined) {
    throw new Error('discover.kubernetes works inside a pod: KUBERNETES_SERVICE_HOST is not set');
  }
  const { WARDEN_KUBERNETES_ACCOUNT: folder } = env;
  return { apiServer: `https://${hostInUrl(host)}:${port}`, accountFolder: folder || ACCOUNT_FOLDER };
}

/** The history that a watch was to begin from is gone: everything has to be listed anew. */
class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
}

/**
 * Lists the EndpointSlices of a service, then watches them: changes arrive within moments. The account's token is read
 * anew for each request, as it is replaced every hour.
 */
export function discoverByKubernetes(
  question: KubernetesQuestion,
  access: KubernetesAccess,
  events: DiscoveryEvents,
): Discovery {
  const stopping = new AbortController();
  const telling = createTelling(events, `Kubernetes service ${question.service}`);
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        await followSlices({
          question,
          access,
          signal: stopping.signal,
          onUrls: telling.found,
          onCalm: () => (failures = 0),
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof HistoryGone)) telling.failed(error);
        failures += 1;
        await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures), undefined, { ref: false });
      }
    }
  };
  void run();
  return { close: () => stopping.abort() };
}

type Following = {
  readonly question: KubernetesQuestion;
  readonly access: KubernetesAccess;
  readonly signal: AbortSignal;
  readonly onUrls: (urls: readonly string[]) => void;
  readonly onCalm: () => void;
};

async function followSlices({ question, access, signal, onUrls, onCalm }: Following): Promise<void> {
  const agent = await agentOf(access);
  try {
    const path = await slicesPath(question, access);
    const list = sliceList.parse(await (await get(access, agent, path, signal)).json());
    const slices = new Map(list.items.map((slice) => [slice.metadata.name, slice]));
    let version = list.metadata.resourceVersion;
    onUrls(urlsOfSlices(slices.values(), question));
    onCalm();
    for (;;) {
      const since = `&watch=1&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${version}`;
      const startedAt = performance.now();
      const body = await get(access, agent, path + since, signal);
      for await (const line of jsonLines(body)) {
        version = takeEvent(slices, line);
        onUrls(urlsOfSlices(slices.values(), question));
        onCalm();
      }
      // One that is ended at once, as by a proxy that closes idle streams, must not be asked for without a breath.
      if (performance.now() - startedAt < SHORTEST_WATCH_MS) await pause(SHORTEST_WATCH_MS, undefined, { ref: false });
    }
  } finally {
    await agent.destroy();
  }
}

/** Enters an event of the watch; gives the version that the next watch may begin from. */
function takeEvent(slices: Map<string, EndpointSlice>, line: unknown): string {
  const event = watchEvent.parse(line);
  if (event.type === 'ERROR') {
    if (event.object.code === 410) throw new HistoryGone('resource version too old');
    throw new Error(event.object.message ?? 'the watch broke off');
  }
  if (event.type === 'DELETED') slices.delete(event.object.metadata.name);
  else if (event.type !== 'BOOKMARK') slices.set(event.object.metadata.name, event.object);
  return event.object.metadata.resourceVersion;
}

async function slicesPath({ service, namespace }: KubernetesQuestion, access: KubernetesAccess): Promise<string> {
  const space = namespace ?? (await readFile(`${access.accountFolder}/namespace`, 'utf8')).trim();
  const label = encodeURIComponent(`kubernetes.io/service-name=${service}`);
  return `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(space)}/endpointslices?labelSelector=${label}`;
}

async function agentOf({ apiServer, accountFolder }: KubernetesAccess): Promise<Agent> {
  const ca = apiServer.startsWith('https:') ? await readFile(`${accountFolder}/ca.crt`, 'utf8') : null;
  // A watch is silent for as long as nothing changes.
  return new Agent({ bodyTimeout: (WATCH_SECONDS + 30) * 1000, ...(ca === null ? {} : { connect: { ca } }) });
}

async function get(
  { apiServer, accountFolder }: KubernetesAccess,
  agent: Agent,
  path: string,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData['body']> {
  const token = (await readFile(`${accountFolder}/token`, 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const { statusCode, body } = await request(apiServer + path, { dispatcher: agent, headers, signal });
  if (statusCode === 200) return body;
  await body.dump();
  if (statusCode === 410) throw new HistoryGone('resource version too old');
  const what = statusCode === 403 ? ': the service account may not list and watch endpointslices' : '';
  throw new Error(`the API server answered ${statusCode}${what}`);
}
