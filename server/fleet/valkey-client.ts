import { createClient, createCluster, createSentinel } from '@redis/client';
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

/** `onError` is told of every error of a connection; the client is then to be destroyed, or heals itself. */
export function createValkeyClient(address: SharedAddress, onError: (error: unknown) => void): ValkeyClient {
  if (address.kind === 'sentinel') return sentinelClient(address, onError);
  return address.kind === 'cluster' ? clusterClient(address, onError) : serverClient(address, onError);
}

function credentials({ username, password }: SharedAddress) {
  return { ...(username === null ? {} : { username }), ...(password === null ? {} : { password }) };
}

function socketOf({ tls }: SharedAddress) {
  return { connectTimeout: CONNECT_TIMEOUT_MS, ...(tls ? { tls: true as const } : {}) };
}

/** Reconnecting is the caller's: it has to know of every gap, since what was published meanwhile is lost. */
function serverClient(address: SharedAddress, onError: (error: unknown) => void): ValkeyClient {
  const [{ host, port }] = address.nodes;
  const options = {
    ...credentials(address),
    socket: { ...socketOf(address), host, port, reconnectStrategy: false as const },
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

function sentinelClient(address: SharedAddress, onError: (error: unknown) => void): ValkeyClient {
  const node = { ...credentials(address), socket: socketOf(address) };
  const client = createSentinel({
    name: address.masterName ?? '',
    sentinelRootNodes: [...address.nodes],
    nodeClientOptions: node,
    sentinelClientOptions: { socket: socketOf(address) },
  }).on('error', onError);
  return {
    async connect() {
      await client.connect();
    },
    send: (_key, args) => client.sendCommand(false, [...args]),
    async subscribe(channel, onMessage) {
      await client.subscribe(channel, onMessage);
    },
    destroy() {
      if (client.isOpen) void client.destroy();
    },
  };
}

function clusterClient(address: SharedAddress, onError: (error: unknown) => void): ValkeyClient {
  const client = createCluster({
    rootNodes: address.nodes.map(({ host, port }) => ({ socket: { ...socketOf(address), host, port } })),
    defaults: { ...credentials(address), socket: socketOf(address), disableOfflineQueue: true },
  }).on('error', onError);
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
