import { hashText } from '#lib/experiment/hash-text.ts';
import { createRandom } from '#lib/simulation/random.ts';

/** Pauses in ms between sessions that arrive by chance, `perHour` of them on average. Endless. */
export function* arrivalPauses(perHour: number, seed: number): Generator<number, never> {
  const random = createRandom(hashText(`${seed}:arrivals`));
  for (;;) yield (-Math.log(1 - random()) * 3_600_000) / perHour;
}
