import type { StepTiming } from './profile.ts';
import type { Sequence } from './sequence.ts';

/** What one step carries, summed while it is scheduled. */
export class StepLoad {
  private prefillTokens = 0;
  private prefillPositions = 0;
  private decodeContext = 0;

  add(sequence: Sequence, tokens: number): void {
    if (sequence.isDecoding) {
      this.decodeContext += sequence.total;
      return;
    }
    this.prefillTokens += tokens;
    this.prefillPositions += tokens * (sequence.computed + tokens / 2);
  }

  /** Duration of the step in ms, without jitter (`P·C` is the sum of the tokens' positions). */
  durationMs(timing: StepTiming): number {
    return (
      timing.baseMs +
      timing.perPrefillTokenMs * this.prefillTokens +
      timing.perPrefillContextMs * this.prefillPositions +
      timing.perDecodeContextMs * this.decodeContext
    );
  }
}

/** What the API server spends on a request before the engine sees it, in ms. */
export function apiOverheadMs(timing: StepTiming, promptTokens: number): number {
  return timing.apiBaseMs + (timing.apiPerThousandTokensMs * promptTokens) / 1000;
}
