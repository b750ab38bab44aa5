import { BlockKeys } from './block-keys.ts';
import type { TokenIds } from './tokens.ts';

/** One generated token, told at the end of the step that made it. `at` is simulated ms. */
export type TokenEvent = {
  /** Place in the output, from 0. */
  readonly index: number;
  readonly at: number;
  /** Set on the last one. */
  readonly finish: 'stop' | 'length' | null;
  /** Prompt tokens that came from the prefix cache when the request was first admitted. */
  readonly cachedTokens: number;
};

/** What a replica works on. The output is known beforehand; the replica decides when its tokens come. */
export type EngineRequest = {
  readonly prompt: TokenIds;
  /** At least one token. */
  readonly output: TokenIds;
  readonly finish: 'stop' | 'length';
  readonly onToken: (event: TokenEvent) => void;
};

/** A request inside a replica. Only the replica changes it. */
export class Sequence {
  readonly request: EngineRequest;
  readonly keys: BlockKeys;
  /** Blocks held, in the order of the tokens they cover; the first `keyed` of them are findable. */
  blocks: number[] = [];
  keyed = 0;
  /** Tokens whose keys and values are in the cache. */
  computed = 0;
  /** Output tokens so far. */
  produced = 0;
  /** Fixed at the first admission; null before. */
  cachedTokens: number | null = null;
  state: 'new' | 'waiting' | 'running' | 'finished' = 'new';
  aborted = false;

  constructor(request: EngineRequest, blockSize: number) {
    if (request.prompt.length === 0 || request.output.length === 0) {
      throw new RangeError('a request needs at least one prompt token and one output token');
    }
    this.request = request;
    this.keys = new BlockKeys(blockSize);
    this.keys.append(request.prompt, 0, request.prompt.length);
  }

  /** Prompt and the output so far. */
  get total(): number {
    return this.request.prompt.length + this.produced;
  }

  /** Decoding: everything but the newest token is computed, and that token is output. */
  get isDecoding(): boolean {
    return this.produced > 0 && this.computed === this.total - 1;
  }
}
