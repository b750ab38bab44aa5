import { hashText } from '#lib/conversations/hash.ts';

/**
 * Highest-random-weight choice (Thaler and Ravishankar, 1998): everyone who knows the same replicas picks the same one
 * for a key, and a replica that leaves moves only its own keys. `ids` are the replicas' names, the same for everyone.
 * Null where none is eligible.
 */
export function rendezvous(key: string, ids: readonly string[], eligible: (index: number) => boolean): number | null {
  let best: number | null = null;
  let bestWeight = -1;
  for (const [index, id] of ids.entries()) {
    if (!eligible(index)) continue;
    const weight = hashText(`${key}\0${id}`).a >>> 0;
    if (weight > bestWeight || (weight === bestWeight && best !== null && id < (ids[best] ?? ''))) {
      best = index;
      bestWeight = weight;
    }
  }
  return best;
}
