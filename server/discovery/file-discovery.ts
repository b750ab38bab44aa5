import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { createTelling, type Discovery, type DiscoveryEvents } from './discovery.ts';

const POLL_MS = 1000;
const url = z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// URL' });
const list = z.array(z.union([url, z.object({ url }).transform((entry) => entry.url)]));

/** Reads a list of URLs (YAML or JSON: `- http://host:8000`, or `- url: …`) and again whenever the file changes. */
export function discoverByFile(path: string, events: DiscoveryEvents): Discovery {
  const telling = createTelling(events, `the file ${path}`);
  let isClosed = false;
  const read = (): void => {
    readReplicas(path).then(
      (urls) => (isClosed ? undefined : telling.found(urls)),
      (error: unknown) => (isClosed ? undefined : telling.failed(error)),
    );
  };
  watchFile(path, { interval: POLL_MS, persistent: false }, read);
  read();
  return {
    close() {
      isClosed = true;
      unwatchFile(path, read);
    },
  };
}

async function readReplicas(path: string): Promise<string[]> {
  const parsed = list.safeParse(parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data.map((one) => one.replace(/\/(v1\/?)?$/, ''));
  const [problem] = parsed.error.issues;
  throw new Error(`entry ${problem?.path.join('.') ?? '?'} ${problem?.message ?? 'is wrong'}`);
}
