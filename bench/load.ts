import { type Connection, openConnection } from './connection.ts';
import { cpuMs } from './processes.ts';
import type { Target } from './targets.ts';
import { requestBytes } from './workload.ts';

export type Slice = {
  readonly ttfbsMs: readonly number[];
  readonly seconds: number;
  readonly requests: number;
  /** CPU that the target used meanwhile; null for direct. */
  readonly cpuMs: number | null;
};

export type SliceOptions = { readonly bodyBytes: number; readonly concurrency: number; readonly requests: number };

/** Closed loop: every connection sends its next request when its answer is complete. */
export async function runSlice(target: Target, options: SliceOptions): Promise<Slice> {
  const { bodyBytes, concurrency, requests } = options;
  const connections = await Promise.all(Array.from({ length: concurrency }, () => openConnection(target.url)));
  const bytes = connections.map((_, session) => requestBytes({ path: target.path, bodyBytes, session }));
  const ttfbsMs: number[] = [];
  let left = 0;
  const drive = async (connection: Connection, request: Buffer): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { status, ttfbMs } = await connection.exchange(request);
      if (status !== 200) throw new Error(`${target.name} answered ${status}\n${target.output().slice(-500)}`);
      ttfbsMs.push(ttfbMs);
    }
  };
  const driveAll = (): Promise<unknown> =>
    Promise.all(connections.map((connection, index) => drive(connection, bytes[index] ?? Buffer.alloc(0))));
  // Not counted: a target that was idle for the others' turns opens connections and finds its caches cold.
  left = Math.max(concurrency * 2, Math.ceil(requests / 3));
  await driveAll();
  ttfbsMs.length = 0;
  left = requests;
  const cpuBefore = target.pid === null ? null : cpuMs(target.pid);
  const started = performance.now();
  await driveAll();
  const seconds = (performance.now() - started) / 1000;
  const used = target.pid === null || cpuBefore === null ? null : cpuMs(target.pid) - cpuBefore;
  for (const connection of connections) connection.close();
  return { ttfbsMs, seconds, requests, cpuMs: used };
}
