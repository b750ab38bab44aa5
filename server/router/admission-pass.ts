import type { Admission } from '#lib/cache-fit/admission.ts';
import type { Ticket, TurnUsage } from '#lib/cache-fit/types.ts';
import type { Usage } from '#lib/usage/usage.ts';

/** A turn that admission has let through, from there to its end. Calls after its end do nothing. */
export type AdmissionPass = {
  /** The replica that has room for it; null: the router's own rules decide, as they do once it had a place. */
  readonly replica: number | null;
  /** How long it was held, in ms; null where cache-fit is off. */
  readonly queuedMs: number | null;
  /** Its conversation gave up its place with it. */
  readonly gaveWay: boolean;
  /**
   * It goes to `replica` (null: the engine chooses), or goes there now in place of another. `isResumed`:
   * its conversation was known from before admission was, so that what its cache holds is no beginning of others.
   */
  placed(replica: number | null, isResumed: boolean): void;
  /** The first byte of an answer that comes as it is made. */
  answering(): void;
  /** It is over, or was not sent. */
  finished(usage: Usage): void;
};

/** Of a request that admission has no say in. */
export function freePass(queuedMs: number | null): AdmissionPass {
  return { replica: null, queuedMs, gaveWay: false, placed() {}, answering() {}, finished() {} };
}

type Granted = Pick<AdmissionPass, 'replica' | 'queuedMs'>;
/** Does something with the admission that gave the ticket, where that is still the one in force. */
type Tell = (what: (admission: Admission, now: number) => void) => void;

/** Of a turn that admission has let through. */
export function ticketPass(ticket: Ticket, granted: Granted, tell: Tell): AdmissionPass {
  let { replica } = granted;
  // Said now: a place may be taken twice, and the first makes it a turn.
  const isFirstTurn = ticket.conversation.turns === 0;
  let isCachedShared = true;
  return {
    get replica() {
      return replica;
    },
    queuedMs: granted.queuedMs,
    gaveWay: ticket.gaveWay,
    placed(at, isResumed) {
      if (isResumed && isFirstTurn) isCachedShared = false;
      replica = null;
      tell((admission, now) => (at === null ? admission.left(ticket, now) : admission.sent(ticket, at, now)));
    },
    answering: () => tell((admission, now) => admission.answering(ticket, now)),
    finished(usage) {
      const counted = turnUsage(isCachedShared ? usage : { ...usage, cachedTokens: null });
      tell((admission, now) =>
        counted === null ? admission.left(ticket, now) : admission.finished(ticket, counted, now),
      );
    },
  };
}

/** Null where the engine counted nothing. */
function turnUsage({ promptTokens, cachedTokens, completionTokens }: Usage): TurnUsage | null {
  return promptTokens === null ? null : { promptTokens, cachedTokens, completionTokens: completionTokens ?? 0 };
}
