import { Resolver } from 'node:dns/promises';
import { createTelling, type Discovery, type DiscoveryEvents, hostInUrl } from './discovery.ts';

export type DnsQuestion = {
  readonly kind: 'address' | 'srv';
  readonly name: string;
  /** For addresses; SRV records bring their own. */
  readonly port: number;
  readonly scheme: 'http' | 'https';
  readonly refreshSeconds: number;
  /** `host:port` of the name servers to ask; null: the system's. */
  readonly servers: readonly string[] | null;
};

const NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND']);
/** A slow name server must not hold up the next question for long; nothing else waits for it. */
const ANSWER_MS = 2000;

/**
 * Asks the name servers again and again: A and AAAA records, or SRV records with their ports. The questions go over
 * the network by themselves (c-ares), never through the thread pool that the database's reads would wait for.
 */
export function discoverByDns(question: DnsQuestion, events: DiscoveryEvents): Discovery {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 2 });
  if (question.servers !== null) resolver.setServers(question.servers);
  const telling = createTelling(events, `DNS ${question.kind === 'srv' ? 'SRV ' : ''}${question.name}`);
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const ask = async (): Promise<void> => {
    try {
      const urls = await (question.kind === 'srv' ? services(resolver, question) : addresses(resolver, question));
      if (!isClosed) telling.found(urls);
    } catch (error) {
      if (!isClosed) telling.failed(error);
    }
    if (!isClosed) timer = setTimeout(() => void ask(), question.refreshSeconds * 1000).unref();
  };
  void ask();
  return {
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      resolver.cancel();
    },
  };
}

async function addresses(resolver: Resolver, { name, port, scheme }: DnsQuestion): Promise<string[]> {
  const found = await bothFamilies(resolver, name);
  return found.map((address) => `${scheme}://${hostInUrl(address)}:${port}`);
}

async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const [four, six] = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))]);
  return [...four, ...six];
}

/** Of the highest priority only, as RFC 2782 has it. The target's name is kept: its address may change. */
async function services(resolver: Resolver, { name, scheme }: DnsQuestion): Promise<string[]> {
  const records = await orNone(resolver.resolveSrv(name));
  const highest = Math.min(...records.map((record) => record.priority));
  return records
    .filter((record) => record.priority === highest)
    .map((record) => `${scheme}://${record.name}:${record.port}`);
}

async function orNone<One>(asked: Promise<One[]>): Promise<One[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && NO_RECORDS.has(error.code)) {
      return [];
    }
    throw error;
  }
}
