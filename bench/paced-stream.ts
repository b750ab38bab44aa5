import type { Connection } from './connection.ts';
import { CHUNKS_HEADER, PACE_HEADER, requestBytes, SENT_AT_FIELD } from './workload.ts';

export type PacedStream = {
  readonly path: string;
  readonly session: number;
  readonly bodyBytes: number;
  readonly paceMs: number;
  readonly chunks: number;
};

export type PacedResult = { readonly received: number; readonly outOfOrder: number };

const EVENT = new RegExp(`"n":(\\d+),"${SENT_AT_FIELD}":([\\d.]+)`, 'g');

/** One numbered stream of the stand-in; `onDelay` is told of each event, in ms from the engine's write to its arrival. */
export async function runPacedStream(
  connection: Connection,
  { path, session, bodyBytes, paceMs, chunks }: PacedStream,
  onDelay: (ms: number) => void,
): Promise<PacedResult> {
  const headers = { [PACE_HEADER]: String(paceMs), [CHUNKS_HEADER]: String(chunks) };
  let received = 0;
  let outOfOrder = 0;
  let carry = '';
  const { status } = await connection.exchange(requestBytes({ path, bodyBytes, session, headers }), (bytes) => {
    const now = performance.timeOrigin + performance.now();
    const text = carry + bytes.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    carry = text.slice(end);
    for (const [, n, sentAt] of text.slice(0, end).matchAll(EVENT)) {
      if (Number(n) !== received) outOfOrder += 1;
      received += 1;
      onDelay(now - Number(sentAt));
    }
  });
  if (status !== 200) throw new Error(`answered ${status}: ${carry.slice(-300)}`);
  return { received, outOfOrder };
}
