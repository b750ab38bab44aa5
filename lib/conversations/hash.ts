/**
 * A hash of 64 bits in two lanes of 32, as JavaScript has no fast integers beyond that. Not cryptographic: it tells
 * texts apart that nobody chose in order to be mistaken for each other. Changed in place, so that hashing allocates little.
 */
export type Hash = { a: number; b: number };

const A = 0x85ebca6b;
const B = 0xc2b2ae35;

/** Hashes stretches of one buffer, four bytes a step. */
export class ByteHasher {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The hash of the bytes `start`..`end`; `tag` tells texts of different meaning apart. */
  hash(start: number, end: number, tag: number): Hash {
    const view = this.#view;
    let a = Math.imul(tag, A) ^ (end - start);
    let b = ~a;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const word = view.getInt32(at, true);
      a = Math.imul(a ^ word, A);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b + word, B);
      b = (b << 17) | (b >>> 15);
    }
    for (; at < end; at += 1) {
      const byte = view.getUint8(at);
      a = Math.imul(a ^ byte, B);
      b = Math.imul(b + byte, A);
    }
    return { a: scramble(a ^ (b >>> 7)), b: scramble(b + (a << 5)) };
  }
}

/** Takes `next` into `into`, order and number of the hashes taken in counting. */
export function follow(into: Hash, next: Hash): void {
  into.a = scramble(Math.imul(into.a, A) ^ next.a);
  into.b = scramble(Math.imul(into.b, B) + next.b);
}

/** Takes `next` into `into` in a way in which the order does not count, as with the fields of an object. */
export function join(into: Hash, next: Hash): void {
  into.a = (into.a + next.a) | 0;
  into.b = (into.b + next.b) | 0;
}

/** The hash of a text's UTF-16 code units. */
export function hashText(text: string): Hash {
  const hash = { a: text.length, b: ~text.length };
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash.a = Math.imul(hash.a ^ unit, A);
    hash.a ^= hash.a >>> 15;
    hash.b = Math.imul(hash.b + unit, B);
    hash.b ^= hash.b >>> 13;
  }
  return { a: scramble(hash.a), b: scramble(hash.b) };
}

/** The hash as 16 hexadecimal digits. */
export function hexOf({ a, b }: Hash): string {
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}

/** Spreads each bit over the lane (the finish of MurmurHash3). */
function scramble(lane: number): number {
  let mixed = lane ^ (lane >>> 16);
  mixed = Math.imul(mixed, A);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, B);
  return mixed ^ (mixed >>> 16);
}
