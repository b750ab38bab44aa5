import { BlockPool } from './block-pool.ts';
import type { EngineProfile } from './profile.ts';
import { lognormalFactor, type Random } from './random.ts';
import { type ReplicaCounters, zeroCounters } from './replica-counters.ts';
import { type EngineRequest, Sequence } from './sequence.ts';
import { StepLoad } from './step-time.ts';

/** Gauges at this moment. `kvUsage`: share of blocks that requests reference; cached idle blocks do not count. */
export type ReplicaGauges = { readonly running: number; readonly waiting: number; readonly kvUsage: number };

/**
 * One vLLM engine: a first-come-first-served queue, a step loop with a token budget and a block-level prefix cache.
 * It has no clock: the driver calls `startStep`, waits for the duration it returns and calls `finishStep`.
 */
export class Replica {
  readonly counters: ReplicaCounters = zeroCounters();
  private readonly profile: EngineProfile;
  private readonly random: Random;
  private readonly pool: BlockPool;
  private readonly waiting: Sequence[] = [];
  private readonly running: Sequence[] = [];
  /** What the step under way computes; null between steps. */
  private step: Sequence[] | null = null;
  private hasAborted = false;

  constructor(profile: EngineProfile, random: Random) {
    if (profile.maxModelLen > (profile.numBlocks - 1) * profile.blockSize) {
      throw new RangeError('the KV cache must hold at least one request of max_model_len tokens');
    }
    this.profile = profile;
    this.random = random;
    this.pool = new BlockPool(profile.numBlocks);
  }

  gauges(): ReplicaGauges {
    return { running: this.running.length, waiting: this.waiting.length, kvUsage: this.pool.usage };
  }

  /** True between `startStep` and `finishStep`. */
  get isStepping(): boolean {
    return this.step !== null;
  }

  prepare(request: EngineRequest): Sequence {
    if (request.prompt.length + request.output.length > this.profile.maxModelLen) {
      throw new RangeError('prompt and output exceed max_model_len');
    }
    return new Sequence(request, this.profile.blockSize);
  }

  enqueue(sequence: Sequence): void {
    if (sequence.state !== 'new') return;
    sequence.state = 'waiting';
    this.waiting.push(sequence);
  }

  /** Ends a request that its client has left: at the next step, or at once where no step is under way. */
  abort(sequence: Sequence): void {
    if (sequence.state === 'finished' || sequence.aborted) return;
    sequence.aborted = true;
    if (sequence.state === 'new') {
      this.finish(sequence, 'abort');
      return;
    }
    this.hasAborted = true;
    if (!this.isStepping) this.removeAborted();
  }

  /** Schedules a step and returns its duration in ms; null when there is nothing to do. */
  startStep(): number | null {
    this.removeAborted();
    const step: Sequence[] = [];
    const load = new StepLoad();
    const preemptionsBefore = this.counters.preemptions;
    const budget = this.scheduleRunning(this.profile.maxNumBatchedTokens, step, load);
    if (this.counters.preemptions === preemptionsBefore) this.admitWaiting(budget, step, load);
    if (step.length === 0) return null;
    this.step = step;
    const { timing } = this.profile;
    return load.durationMs(timing) * lognormalFactor(timing.jitterSigma, this.random);
  }

  /** Ends the step: requests whose tokens are all computed get one more. `at` is passed on to their listeners. */
  finishStep(at: number): void {
    const step = this.step ?? [];
    this.step = null;
    // All state changes first: a listener may submit or abort.
    const produced = step.filter((sequence) => sequence.computed === sequence.total && !sequence.aborted);
    for (const sequence of produced) this.produceToken(sequence);
    for (const sequence of produced) {
      const { request } = sequence;
      const finish = sequence.state === 'finished' ? request.finish : null;
      request.onToken({ index: sequence.produced - 1, at, finish, cachedTokens: sequence.cachedTokens ?? 0 });
    }
  }

  private produceToken(sequence: Sequence): void {
    const { request } = sequence;
    if (sequence.produced === 0) this.countPrompt(sequence);
    sequence.keys.append(request.output, sequence.produced, sequence.produced + 1);
    sequence.produced += 1;
    this.counters.generationTokens += 1;
    if (sequence.produced < request.output.length) return;
    this.running.splice(this.running.indexOf(sequence), 1);
    this.finish(sequence, request.finish);
  }

  private countPrompt(sequence: Sequence): void {
    const prompt = sequence.request.prompt.length;
    const cached = sequence.cachedTokens ?? 0;
    this.counters.promptTokens += prompt;
    this.counters.cachedTokens += cached;
    this.counters.computedTokens += prompt - cached;
  }

  private finish(sequence: Sequence, reason: 'stop' | 'length' | 'abort'): void {
    sequence.state = 'finished';
    this.counters.finished[reason] += 1;
    this.releaseBlocks(sequence);
  }

  private releaseBlocks(sequence: Sequence): void {
    this.pool.release(sequence.blocks);
    sequence.blocks = [];
    sequence.keyed = 0;
    sequence.computed = 0;
  }

  private removeAborted(): void {
    if (!this.hasAborted) return;
    this.hasAborted = false;
    for (const queue of [this.running, this.waiting]) {
      for (let index = queue.length - 1; index >= 0; index--) {
        const sequence = queue[index];
        if (!sequence?.aborted) continue;
        queue.splice(index, 1);
        this.finish(sequence, 'abort');
      }
    }
  }

  /** Running requests come first, so a decode never waits for a new prompt. Returns the budget that is left. */
  private scheduleRunning(allowed: number, step: Sequence[], load: StepLoad): number {
    let budget = allowed;
    for (let index = 0; index < this.running.length && budget > 0; index++) {
      const sequence = this.running[index];
      if (sequence === undefined) break;
      const tokens = Math.min(sequence.total - sequence.computed, budget);
      if (!this.makeRoom(sequence, this.blocksMissing(sequence, tokens))) break;
      load.add(sequence, tokens);
      this.compute(sequence, tokens);
      step.push(sequence);
      budget -= tokens;
    }
    return budget;
  }

  private blocksMissing(sequence: Sequence, tokens: number): number {
    return Math.ceil((sequence.computed + tokens) / this.profile.blockSize) - sequence.blocks.length;
  }

  /** Preempts the newest running requests until `blocks` are free; false when `sequence` itself had to go. */
  private makeRoom(sequence: Sequence, blocks: number): boolean {
    while (this.pool.freeCount < blocks) {
      const victim = this.running.pop();
      if (victim === undefined) return false;
      this.releaseBlocks(victim);
      victim.state = 'waiting';
      this.waiting.unshift(victim);
      this.counters.preemptions += 1;
      if (victim === sequence) return false;
    }
    return true;
  }

  /** Takes the blocks for the next `tokens` tokens; a full block is findable from now on, not from the step's end. */
  private compute(sequence: Sequence, tokens: number): void {
    for (let missing = this.blocksMissing(sequence, tokens); missing > 0; missing--) {
      sequence.blocks.push(this.pool.take());
    }
    sequence.computed += tokens;
    const full = Math.floor(sequence.computed / this.profile.blockSize);
    for (; sequence.keyed < full; sequence.keyed++) {
      this.pool.setKey(sequence.blocks[sequence.keyed] ?? 0, sequence.keys.at(sequence.keyed));
    }
  }

  /** In order of arrival; where the first does not fit, nobody overtakes it. */
  private admitWaiting(allowed: number, step: Sequence[], load: StepLoad): void {
    let budget = allowed;
    while (budget > 0 && this.running.length < this.profile.maxNumSeqs) {
      const sequence = this.waiting[0];
      if (sequence === undefined || !this.admit(sequence)) return;
      this.waiting.shift();
      this.running.push(sequence);
      const tokens = Math.min(sequence.total - sequence.computed, budget);
      load.add(sequence, tokens);
      this.compute(sequence, tokens);
      step.push(sequence);
      budget -= tokens;
    }
  }

  /** Takes the cached blocks of the head of the queue; false when the rest of its tokens do not fit. */
  private admit(sequence: Sequence): boolean {
    const { blockSize } = this.profile;
    // One token must be computed to get anything out of the model.
    const findable = Math.floor((sequence.total - 1) / blockSize);
    const hits = this.pool.findPrefix(sequence.keys, findable);
    const idle = hits.reduce((count, block) => count + (this.pool.isIdle(block) ? 1 : 0), 0);
    if (Math.ceil(sequence.total / blockSize) - hits.length + idle > this.pool.freeCount) return false;
    for (const block of hits) this.pool.touch(block);
    sequence.blocks = hits;
    sequence.keyed = hits.length;
    sequence.computed = hits.length * blockSize;
    sequence.state = 'running';
    if (sequence.cachedTokens === null) {
      sequence.cachedTokens = sequence.computed;
      this.counters.prefixQueries += sequence.total;
      this.counters.prefixHits += sequence.computed;
    }
    return true;
  }
}
