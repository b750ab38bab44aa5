import type { Hash } from './hash.ts';

/** A place in the table. */
export type Link = number;

/** No link: the parent of a first message, and the answer where nothing is found. */
export const NO_LINK: Link = -1;

/** What is known of a link besides its hash. */
export type LinkFacts = { readonly bytes: number; readonly byModel: boolean };

/** Bytes of memory that one link takes, its share of the two tables of buckets included. */
export const BYTES_PER_LINK = 53;

/**
 * The remembered messages as a tree: each link is one message after its parent, so that conversations with the same
 * beginning share it, and a message is found only behind the very messages it stood behind. Kept in plain arrays of
 * numbers: half a million objects would be half a million to look at in each garbage collection. The arrays have their
 * full size from the start, and the operating system gives the memory as it is used.
 */
export class LinkTable {
  readonly capacity: number;
  readonly #hashA: Int32Array;
  readonly #hashB: Int32Array;
  readonly #parent: Int32Array;
  readonly #depth: Int32Array;
  /** Of the message itself and all before it. */
  readonly #bytesSoFar: Float64Array;
  readonly #author: Uint8Array;
  readonly #owner: Int32Array;
  readonly #children: Int32Array;
  readonly #tails: Int32Array;
  /** The next link of the same bucket of places; for a free place the next free one. */
  readonly #nextAtPlace: Int32Array;
  readonly #nextAlike: Int32Array;
  readonly #previousAlike: Int32Array;
  readonly #places: Int32Array;
  readonly #alike: Int32Array;
  readonly #mask: number;
  #firstFree: Link = NO_LINK;
  #everUsed = 0;
  #size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, capacity)));
    this.#mask = buckets - 1;
    const ints = (): Int32Array => new Int32Array(capacity);
    this.#hashA = ints();
    this.#hashB = ints();
    this.#parent = ints();
    this.#depth = ints();
    this.#bytesSoFar = new Float64Array(capacity);
    this.#author = new Uint8Array(capacity);
    this.#owner = ints();
    this.#children = ints();
    this.#tails = ints();
    this.#nextAtPlace = ints();
    this.#nextAlike = ints();
    this.#previousAlike = ints();
    // Links are kept plus 1 in the buckets, so that a fresh array of zeros is one of empty buckets.
    this.#places = new Int32Array(buckets);
    this.#alike = new Int32Array(buckets);
  }

  get size(): number {
    return this.#size;
  }
  get free(): number {
    return this.capacity - this.#size;
  }

  /** The link of this message right behind `parent`. */
  child(parent: Link, hash: Hash): Link {
    for (
      let link = at(this.#places, placeBucket(parent, hash, this.#mask)) - 1;
      link !== NO_LINK;
      link = at(this.#nextAtPlace, link)
    ) {
      if (at(this.#parent, link) === parent && this.hasHash(link, hash)) return link;
    }
    return NO_LINK;
  }

  /** Adds a link that is not there yet. The caller has made room. */
  add(parent: Link, hash: Hash, facts: LinkFacts): Link {
    const link = this.#takePlace();
    this.#hashA[link] = hash.a;
    this.#hashB[link] = hash.b;
    this.#parent[link] = parent;
    this.#depth[link] = this.depth(parent) + 1;
    this.#bytesSoFar[link] = this.bytesSoFar(parent) + facts.bytes;
    this.#author[link] = (facts.byModel ? BY_MODEL : 0) | (facts.byModel || this.isAnswered(parent) ? ANSWERED : 0);
    this.#owner[link] = NO_LINK;
    this.#children[link] = 0;
    this.#tails[link] = 0;
    if (parent !== NO_LINK) this.#children[parent] = at(this.#children, parent) + 1;
    const bucket = placeBucket(parent, hash, this.#mask);
    this.#nextAtPlace[link] = at(this.#places, bucket) - 1;
    this.#places[bucket] = link + 1;
    if (facts.byModel) this.#addAlike(link, hash);
    return link;
  }

  hasHash(link: Link, hash: Hash): boolean {
    return this.#hashA[link] === hash.a && this.#hashB[link] === hash.b;
  }
  parent(link: Link): Link {
    return this.#parent[link] ?? NO_LINK;
  }
  /** The number of messages up to and with this one. */
  depth(link: Link): number {
    return this.#depth[link] ?? 0;
  }
  bytesSoFar(link: Link): number {
    return this.#bytesSoFar[link] ?? 0;
  }
  byModel(link: Link): boolean {
    return ((this.#author[link] ?? 0) & BY_MODEL) !== 0;
  }
  /** The model wrote this message or one before it. */
  isAnswered(link: Link): boolean {
    return ((this.#author[link] ?? 0) & ANSWERED) !== 0;
  }
  /** How many different messages are remembered to follow this one. */
  children(link: Link): number {
    return this.#children[link] ?? 0;
  }

  /** Some conversation's latest request ends here. */
  isTail(link: Link): boolean {
    return (this.#tails[link] ?? 0) > 0;
  }

  /** The conversation that came by last. */
  owner(link: Link): number {
    return this.#owner[link] ?? NO_LINK;
  }
  setOwner(link: Link, owner: number): void {
    this.#owner[link] = owner;
  }

  /** Links of messages by the model with this hash, wherever they stand, the newest first. */
  *alike(hash: Hash): Generator<Link> {
    for (
      let link = at(this.#alike, alikeBucket(hash, this.#mask)) - 1;
      link !== NO_LINK;
      link = at(this.#nextAlike, link)
    ) {
      if (this.hasHash(link, hash)) yield link;
    }
  }

  /** A conversation ends in this link, and keeps it and those before it from being removed. */
  hold(link: Link): void {
    this.#tails[link] = at(this.#tails, link) + 1;
  }

  /** The counterpart of `hold`: removes the links that nothing needs any more. */
  release(tail: Link): void {
    this.#tails[tail] = at(this.#tails, tail) - 1;
    let link = tail;
    while (link !== NO_LINK && at(this.#tails, link) === 0 && at(this.#children, link) === 0) {
      const parent = at(this.#parent, link);
      this.#remove(link);
      if (parent !== NO_LINK) this.#children[parent] = at(this.#children, parent) - 1;
      link = parent;
    }
  }

  #takePlace(): Link {
    this.#size += 1;
    if (this.#firstFree === NO_LINK) {
      this.#everUsed += 1;
      return this.#everUsed - 1;
    }
    const link = this.#firstFree;
    this.#firstFree = at(this.#nextAtPlace, link);
    return link;
  }

  #remove(link: Link): void {
    const hash = { a: at(this.#hashA, link), b: at(this.#hashB, link) };
    if (this.byModel(link)) this.#removeAlike(link, hash);
    const bucket = placeBucket(at(this.#parent, link), hash, this.#mask);
    const first = at(this.#places, bucket) - 1;
    if (first === link) this.#places[bucket] = at(this.#nextAtPlace, link) + 1;
    else {
      let before = first;
      while (at(this.#nextAtPlace, before) !== link) before = at(this.#nextAtPlace, before);
      this.#nextAtPlace[before] = at(this.#nextAtPlace, link);
    }
    this.#nextAtPlace[link] = this.#firstFree;
    this.#firstFree = link;
    this.#size -= 1;
  }

  /** Linked both ways: thousands of conversations may hold the same "Done.", and each must leave in constant time. */
  #addAlike(link: Link, hash: Hash): void {
    const bucket = alikeBucket(hash, this.#mask);
    const next = at(this.#alike, bucket) - 1;
    this.#nextAlike[link] = next;
    this.#previousAlike[link] = NO_LINK;
    if (next !== NO_LINK) this.#previousAlike[next] = link;
    this.#alike[bucket] = link + 1;
  }

  #removeAlike(link: Link, hash: Hash): void {
    const next = at(this.#nextAlike, link);
    const previous = at(this.#previousAlike, link);
    if (next !== NO_LINK) this.#previousAlike[next] = previous;
    if (previous !== NO_LINK) this.#nextAlike[previous] = next;
    else this.#alike[alikeBucket(hash, this.#mask)] = next + 1;
  }
}

const BY_MODEL = 1;
const ANSWERED = 2;

function at(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}

function placeBucket(parent: Link, hash: Hash, mask: number): number {
  return (hash.a ^ Math.imul(parent + 1, 0x9e3779b1)) & mask;
}

function alikeBucket(hash: Hash, mask: number): number {
  return hash.b & mask;
}
