import { randomBytes } from 'node:crypto';
import { createClient } from '@redis/client';
import { homeKey } from '#server/fleet/shared-keys.ts';

export type Footprint = { readonly conversations: number; readonly bytes_per_conversation: number };

const BATCH = 1000;
const HOME_SECONDS = '2100';

/**
 * How much memory the homes of so many conversations take in the server at `url`, by its own account (`used_memory` of
 * INFO). They are removed again afterwards.
 */
export async function measureFootprint(url: string, conversations: number): Promise<Footprint> {
  const client = createClient({ url });
  await client.connect();
  const used = async (): Promise<number> => {
    const info = String(await client.sendCommand(['INFO', 'memory']));
    return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
  };
  const keys = Array.from({ length: conversations }, () => homeKey('qwen3-4b-dp4', randomBytes(16).toString('hex')));
  const inBatches = async (act: (key: string) => Promise<unknown>): Promise<void> => {
    for (let at = 0; at < keys.length; at += BATCH) await Promise.all(keys.slice(at, at + BATCH).map(act));
  };
  try {
    const before = await used();
    await inBatches((key) => client.sendCommand(['SET', key, 'http://10.20.30.40:8000#0', 'EX', HOME_SECONDS]));
    const bytes = (await used()) - before;
    await inBatches((key) => client.sendCommand(['DEL', key]));
    return { conversations, bytes_per_conversation: bytes / conversations };
  } finally {
    client.destroy();
  }
}
