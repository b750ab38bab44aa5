import type { LiveTurn } from '#lib/benchmark/live-conversation.ts';
import { createRecorder, type OpenTurn } from '#lib/experiment/step-recorder.ts';
import type { TurnAnswer } from './session-client.ts';

export type Window = { readonly from: number; readonly until: number };

/** Records the turns of a step as their client sees them. Times are ms of the step's clock. */
export type TurnRecorder = ReturnType<typeof createTurnRecorder>;

export function createTurnRecorder(window: Window) {
  const recorder = createRecorder(window);
  const tokens = { planned: 0, counted: 0 };
  const errors: string[] = [];
  let sent = 0;
  let answered = 0;

  return {
    sent(): void {
      sent += 1;
    },
    /** `arrivals`: when generated text came. An answer without any is recorded by its end. */
    finished(turn: LiveTurn, sentAt: number, arrivals: readonly number[], endedAt: number, answer: TurnAnswer): void {
      answered += 1;
      const { usage, decision } = answer;
      const record = open(turn, sentAt, arrivals[0] ?? endedAt);
      record.endedAt = endedAt;
      record.cachedTokens = usage.cachedTokens;
      record.stayed = decision === 'sticky' ? true : decision === 'spilled' ? false : null;
      if (usage.promptTokens !== null) {
        record.promptTokens = usage.promptTokens;
        tokens.planned += turn.promptTokens;
        tokens.counted += usage.promptTokens;
      }
      spread(record, arrivals, usage.completionTokens ?? arrivals.length, endedAt);
    },
    /** Under way when the step ended: what had come by then counts, and that it waited. */
    cutOff(turn: LiveTurn, sentAt: number, arrivals: readonly number[]): void {
      spread(open(turn, sentAt, arrivals[0] ?? null), arrivals, arrivals.length, sentAt);
    },
    /** A turn that failed says nothing of waiting: it is counted apart. */
    failed(error: unknown, at: number): void {
      if (at < window.from || at > window.until) return;
      errors.push(error instanceof Error ? error.message : String(error));
    },
    session: recorder.session,
    poll: recorder.poll,
    counts: () => ({ sent, answered, errors: errors.length }),
    result: () => ({ tokens, errors, measured: recorder.measurement() }),
  };

  function open(turn: LiveTurn, sentAt: number, firstByteAt: number | null): OpenTurn {
    const record = recorder.turn(turn.turn, turn.promptTokens, sentAt);
    record.firstByteAt = firstByteAt;
    return record;
  }

  /** An event may bring several tokens: as many as the engine counted, evenly over the events that came. */
  function spread(record: OpenTurn, arrivals: readonly number[], count: number, endedAt: number): void {
    for (let token = 0; token < count; token += 1) {
      recorder.token(record, arrivals[Math.floor((token * arrivals.length) / count)] ?? endedAt);
    }
  }
}
