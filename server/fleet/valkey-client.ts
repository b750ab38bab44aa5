import { createClient, createCluster } from '@redis/client';
import { SentinelMaster } from './sentinel-master.ts';
import type { SharedAddress } from './shared-url.ts';

/** The few calls made of Valkey or Redis, whether it is one server, sentinels or a cluster. */
export type ValkeyClient = {
  connect(): Promise<void>;
  /** `key` says which node of a cluster it goes to. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  subscribe(channel: string, onMessage: (message: string) => void): Promise<void>;
  /** Lets go at once; what is under way rejects. */
  destroy(): void;
};

const CONNECT_TIMEOUT_MS = 2000;

/**
 * `onGap` is told of every connection that breaks, and of every change of the master or of the nodes: what was published
 * meanwhile is lost, and so may be what was written last. The client is then to be destroyed; it never heals itself.
 * What goes wrong before it is connected is told by the rejection of `connect` alone.
 */
export function createValkeyClient(address: SharedAddress, onGap: (reason: unknown) => void): ValkeyClient {
  const isConnected = { yet: false };
  const onError = (reason: unknown): void => {
    if (isConnected.yet) onGap(reason);
  };
  const client = clientOf(address, onError);
  return {
    ...client,
    async connect() {
      await client.connect();
      isConnected.yet = true;
    },
  };
}

function clientOf(address: SharedAddress, onError: (reason: unknown) => void): ValkeyClient {
  if (address.kind === 'sentinel') return sentinelClient(address, onError);
  return address.kind === 'cluster' ? clusterClient(address, onError) : serverClient(address, onError);
}

function credentials({ username, password }: Pick<SharedAddress, 'username' | 'password'>) {
  return { ...(username === null ? {} : { username }), ...(password === null ? {} : { password }) };
}

/** A connection that reconnects by itself would hide the gap. */
function socketOf({ tls }: SharedAddress) {
  return {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: false as const,
    ...(tls ? { tls: true as const } : {}),
  };
}

function serverClient(address: SharedAddress, onError: (reason: unknown) => void): ValkeyClient {
  const [{ host, port }] = address.nodes;
  const options = {
    ...credentials(address),
    socket: { ...socketOf(address), host, port },
    database: address.database,
    disableOfflineQueue: true,
    name: 'lm-warden',
  };
  const commands = createClient(options).on('error', onError);
  const messages = createClient(options).on('error', onError);
  return {
    async connect() {
      await Promise.all([commands.connect(), messages.connect()]);
    },
    send: (_key, args) => commands.sendCommand(args),
    async subscribe(channel, onMessage) {
      await messages.subscribe(channel, onMessage);
    },
    destroy() {
      for (const client of [commands, messages]) if (client.isOpen) client.destroy();
    },
  };
}

/**
 * A connection to the master of now. The library's own client for sentinels goes on at the next master by itself, and
 * sends there what it had not got an answer to: a count told late, over a newer one.
 */
function sentinelClient(address: SharedAddress, onError: (reason: unknown) => void): ValkeyClient {
  const sentinels = new SentinelMaster({
    address,
    connection: { ...credentials(address.sentinel), socket: socketOf(address) },
    onMoved: () => onError('the sentinels name another master'),
  });
  let master: ValkeyClient | null = null;
  let isDestroyed = false;
  const connected = (): ValkeyClient => {
    if (master === null || isDestroyed) throw new Error('not connected to a master');
    return master;
  };
  return {
    async connect() {
      const node = await sentinels.find();
      master = serverClient({ ...address, nodes: [node] }, onError);
      await connected().connect();
    },
    send: async (key, args) => connected().send(key, args),
    subscribe: async (channel, onMessage) => connected().subscribe(channel, onMessage),
    destroy() {
      isDestroyed = true;
      sentinels.close();
      master?.destroy();
    },
  };
}

function clusterClient(address: SharedAddress, onError: (reason: unknown) => void): ValkeyClient {
  const client = createCluster({
    rootNodes: address.nodes.map(({ host, port }) => ({ socket: { ...socketOf(address), host, port } })),
    defaults: { ...credentials(address), socket: socketOf(address), disableOfflineQueue: true },
  })
    .on('error', onError)
    .on('node-error', onError)
    .on('node-disconnect', ({ host, port }) => onError(`the node ${host}:${port} is gone`));
  return {
    async connect() {
      await client.connect();
    },
    send: (key, args) => client.sendCommand(key, false, [...args]),
    async subscribe(channel, onMessage) {
      await client.subscribe(channel, onMessage);
    },
    destroy() {
      if (client.isOpen) client.destroy();
    },
  };
}
