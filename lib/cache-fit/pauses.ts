/** What a turn costs, as far as the choice of how long to keep a silent conversation's place depends on it. Times in ms. */
export type TurnCosts = {
  /** Computing a conversation's own context anew. */
  readonly coldMs: number;
  /** Computing what a turn adds. */
  readonly warmMs: number;
  /** Generating an answer. */
  readonly decodeMs: number;
  /** Conversations that fit a replica at once. */
  readonly places: number;
  /** No longer than this, as a place then cost more than a cold prompt. */
  readonly mostMs: number;
  /** Conversations that there are, for each replica. */
  readonly conversations: number;
};

const FIRST_EDGE_MS = 50;
const RATIO = 1.25;
const BINS = 56;
/** Each pause weighs this much of the one after it, so that some 500 count. */
const DECAY = 0.998;
/** Fewer pauses than this tell nothing. */
const ENOUGH = 8;
/** At first the short pauses are seen, as the long ones last: of few, these are believed once most answers were followed. */
const MANY = 64;
const MOST_ANSWERS = 2 / 3;
/** Where others are held back for it, keeping places must give this many times the turns of not keeping any. */
const LEAST_GAIN = 1.3;
/** Where there is room for all, the longer of two times is taken that are about as good. */
const AS_GOOD = 0.995;
/** Pauses longer than nearly all others are not waited for. */
const MOST_AWAITED = 0.97;
/** A time in which hardly any come back is not worth keeping a place for. */
const LEAST_AWAITED = 0.05;
const UNKNOWN_KEEP_MS = 500;
const UNKNOWN_ALIVE_MS = 60_000;
const LEAST_ALIVE_MS = 2000;
const MOST_ALIVE_MS = 300_000;

/**
 * How long one kind of conversation pauses between an answer and its next turn: a histogram of the pauses seen (bins
 * grow by a quarter), and the share of answers that were followed by another turn at all.
 */
export class Pauses {
  readonly #bins = new Float64Array(BINS);
  /** For each bin, the pauses in it and in those after it; null where they have changed since. */
  #longer: Float64Array | null = null;
  #total = 0;
  #answers = 5;
  #returns = 4;

  answered(): void {
    this.#answers = this.#answers * DECAY + 1;
    this.#returns *= DECAY;
  }

  returned(pauseMs: number): void {
    const bin = Math.ceil(Math.log(Math.max(pauseMs, FIRST_EDGE_MS) / FIRST_EDGE_MS) / Math.log(RATIO));
    for (let index = 0; index < BINS; index += 1) this.#bins[index] = (this.#bins[index] ?? 0) * DECAY;
    const clamped = Math.min(bin, BINS - 1);
    this.#bins[clamped] = (this.#bins[clamped] ?? 0) + 1;
    this.#total = this.#total * DECAY + 1;
    this.#longer = null;
    this.#returns = Math.min(this.#returns + 1, this.#answers);
  }

  get isKnown(): boolean {
    if (this.#total >= MANY) return true;
    return this.#total >= ENOUGH && this.#returns / this.#answers > MOST_ANSWERS;
  }

  /** How likely a conversation that has been silent for so long is to go on, 0..1. */
  chanceOfReturn(silentMs: number): number {
    const back = this.#returns / this.#answers;
    if (!this.isKnown) return back;
    const later = this.#pausesOf(silentMs);
    const still = (back * later) / this.#total;
    return still / (still + 1 - back + Number.EPSILON);
  }

  /** Silent for longer than this, a conversation is taken to have ended. */
  get aliveMs(): number {
    if (!this.isKnown) return UNKNOWN_ALIVE_MS;
    let below = 0;
    let bin = 0;
    while (bin < BINS && below + (this.#bins[bin] ?? 0) < 0.95 * this.#total) {
      below += this.#bins[bin] ?? 0;
      bin += 1;
    }
    return Math.min(MOST_ALIVE_MS, Math.max(LEAST_ALIVE_MS, 2 * edge(bin)));
  }

  /**
   * How long to keep the place of a conversation that has fallen silent: the time that gives the most turns per replica.
   * A kept place stands idle; a place given up too early costs a cold prompt, which holds up all that run beside it.
   */
  keepMs(costs: TurnCosts): number {
    if (!this.isKnown) return UNKNOWN_KEEP_MS;
    const back = this.#returns / this.#answers;
    const pauseMs = back * this.#meanMs();
    const isFree = costs.conversations <= costs.places;
    let keptMs = 0;
    let waited = 0;
    let backBy = 0;
    let best = turnRate(costs, { silentMs: 0, pauseMs, back, backBy: 0 }) * (isFree ? 1 : LEAST_GAIN);
    for (let bin = 0; bin < BINS && backBy < MOST_AWAITED && edge(bin) <= costs.mostMs; bin += 1) {
      const share = (this.#bins[bin] ?? 0) / this.#total;
      const end = edge(bin);
      backBy += share;
      waited += share * middle(bin);
      const silentMs = back * (waited + (1 - backBy) * end) + (1 - back) * end;
      const rate = turnRate(costs, { silentMs, pauseMs, back, backBy });
      if (backBy < LEAST_AWAITED || (isFree ? rate < best * AS_GOOD : rate <= best)) continue;
      best = Math.max(best, rate);
      keptMs = end;
    }
    return Math.min(keptMs, MOST_ALIVE_MS);
  }

  /** The weight of the pauses that are at least about as long. */
  #pausesOf(silentMs: number): number {
    if (this.#longer === null) {
      const longer = new Float64Array(BINS + 1);
      for (let bin = BINS - 1; bin >= 0; bin -= 1) longer[bin] = (longer[bin + 1] ?? 0) + (this.#bins[bin] ?? 0);
      this.#longer = longer;
    }
    return this.#longer[binFrom(silentMs)] ?? 0;
  }

  #meanMs(): number {
    return this.#bins.reduce((sum, count, bin) => sum + count * middle(bin), 0) / this.#total;
  }
}

/** `silentMs`: how long a place stands idle in each turn; `back`, `backBy`: share that returns at all, and in time. */
type Keeping = {
  readonly silentMs: number;
  readonly pauseMs: number;
  readonly back: number;
  readonly backBy: number;
};

/** Turns per ms of a replica: as many as its places allow, and its conversations ask for. */
function turnRate(costs: TurnCosts, { silentMs, pauseMs, back, backBy }: Keeping): number {
  const { coldMs, warmMs, decodeMs, places, conversations } = costs;
  let active = places / 2;
  let rate = 0;
  // The more run at once, the longer each waits for the others' prompts: a fixed point, approached from a quiet start.
  for (let round = 0; round < 16; round += 1) {
    // Room that nobody uses goes on holding the silent ones that used it last.
    const left = Math.min(1, Math.max(0, places - active) / Math.max(1e-6, conversations - active));
    const coldShare = 1 - back * Math.max(backBy, left);
    const activeMs = decodeMs + active * (warmMs + coldShare * coldMs);
    rate = Math.min(places / (silentMs + activeMs), conversations / (pauseMs + activeMs));
    active = (active + Math.min(places, rate * activeMs)) / 2;
  }
  return rate;
}

const EDGES = Float64Array.from({ length: BINS }, (_, bin) => FIRST_EDGE_MS * RATIO ** bin);

function edge(bin: number): number {
  return EDGES[bin] ?? Number.POSITIVE_INFINITY;
}

/** The first bin whose edge is not below `ms`; `BINS` where there is none. */
function binFrom(ms: number): number {
  let low = 0;
  let high = BINS;
  while (low < high) {
    const middleBin = (low + high) >> 1;
    if (edge(middleBin) >= ms) high = middleBin;
    else low = middleBin + 1;
  }
  return low;
}

function middle(bin: number): number {
  return bin === 0 ? FIRST_EDGE_MS / 2 : edge(bin) / Math.sqrt(RATIO);
}
