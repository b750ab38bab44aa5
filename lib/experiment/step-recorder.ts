import type { StepMeasurement, TurnRecord } from './measurement.ts';

/** A turn under way. Times are ms of the simulation's clock. */
export type OpenTurn = { -readonly [Field in keyof TurnRecord]: TurnRecord[Field] };

/** The part of a run that counts, in ms of its clock. */
type Window = { readonly from: number; readonly until: number };

/** Collects what happens in a run and gives the measurement of its window. */
export function createRecorder(window: Window) {
  const turns: OpenTurn[] = [];
  const sessionDurations: number[] = [];
  const busyReplicas: number[] = [];
  let outputTokens = 0;
  const isInside = (at: number) => at >= window.from && at <= window.until;

  return {
    turn: (turn: number, promptTokens: number, sentAt: number): OpenTurn => {
      const record: OpenTurn = {
        turn,
        sentAt,
        firstByteAt: null,
        endedAt: null,
        promptTokens,
        cachedTokens: null,
        outputTokens: 0,
        stayed: null,
        heldMs: null,
      };
      turns.push(record);
      return record;
    },
    token: (record: OpenTurn, at: number) => {
      record.outputTokens += 1;
      if (isInside(at)) outputTokens += 1;
    },
    session: (startedAt: number, endedAt: number) => {
      if (isInside(endedAt)) sessionDurations.push(endedAt - startedAt);
    },
    poll: (busy: number, at: number) => {
      if (isInside(at)) busyReplicas.push(busy);
    },
    measurement: (): Pick<StepMeasurement, 'turns' | 'sessionDurations' | 'outputTokens' | 'busyReplicas'> => ({
      turns: turns.filter(({ sentAt }) => isInside(sentAt)).map((turn) => withinWindow(turn, window)),
      sessionDurations,
      outputTokens,
      busyReplicas,
    }),
  };
}

/** Times since the window's start; what came after its end has not happened. */
function withinWindow(turn: TurnRecord, { from, until }: Window): TurnRecord {
  const relative = (at: number | null) => (at === null || at > until ? null : at - from);
  return {
    ...turn,
    sentAt: turn.sentAt - from,
    firstByteAt: relative(turn.firstByteAt),
    endedAt: relative(turn.endedAt),
  };
}
