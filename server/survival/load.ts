import { randomUUID } from 'node:crypto';
import { TEST_MODEL } from '#server/warden-for-tests.ts';

/** A conversation as its client knows it. */
type Session = {
  readonly id: string;
  /** The replica of the last turn that was answered whole, and since when it lives there; null before that. */
  replica: string | null;
  boundAt: number | null;
  /** The run in which it came to live there, and whether it was seen there in a later one: then it had been saved. */
  boundIn: number;
  isSaved: boolean;
  /** The run of the warden in which it was last seen where it lives. */
  seenIn: number;
  turnsLeft: number;
};

export type LoadReport = {
  /** Ids of requests that were answered whole, with when and in which run. */
  readonly answered: ReadonlyMap<string, { readonly at: number; readonly run: number }>;
  /** When each run was killed. */
  readonly killedAt: readonly number[];
  readonly turns: number;
  /** Homes that were too old at a kill to be lost and lived elsewhere, or were placed anew, after it. */
  readonly lostHomes: number;
  /** Homes younger than that at a kill, how many of them were placed anew, and how old the oldest of those was. */
  readonly youngHomes: number;
  readonly youngLost: number;
  readonly oldestLostHomeMs: number;
  readonly homes: number;
};

export type Load = {
  /** Sessions go on against this address; null: the warden is gone. */
  reach(url: string | null): void;
  stop(): Promise<LoadReport>;
};

/** From and to; drawn for each, so that they do not end together. */
const TURNS_OF_A_SESSION = [10, 60] as const;
/** Above what the router takes for a one-shot prompt. */
const LONG = 'a line of a long conversation\n'.repeat(600);
const PAUSE_MS = 150;

/**
 * Conversations that go on over every restart, as agents do; new ones begin where one ends. `mayBeLost`: how old a home
 * may be, in ms, that a kill at this time takes with it.
 */
export function startLoad(sessions: number, mayBeLost: (killedAt: number) => number): Load {
  const answered = new Map<string, { readonly at: number; readonly run: number }>();
  const killedAt: number[] = [];
  const counts = { turns: 0, lostHomes: 0, youngHomes: 0, youngLost: 0, oldestLostHomeMs: 0, homes: 0 };
  let url: string | null = null;
  let isStopping = false;

  /** The first turn of a run tells whether the home outlived the run before. */
  const judge = (session: Session, run: number, decision: string | null, replica: string | null): void => {
    const { boundAt, boundIn, seenIn } = session;
    const killed = killedAt[boundIn];
    if (boundAt === null || killed === undefined || seenIn === run || decision === 'spilled') return;
    session.seenIn = run;
    const isMoved = decision === 'placed' || (decision === 'sticky' && replica !== session.replica);
    // By its age at the first kill: turns of the runs since may have been cut off, and tell of the loss only now.
    const ageMs = killed - boundAt;
    const isYoung = !session.isSaved && ageMs <= mayBeLost(killed);
    if (isYoung) counts.youngHomes += 1;
    if (isMoved && isYoung) counts.youngLost += 1;
    if (isMoved && !isYoung) counts.lostHomes += 1;
    if (isMoved && !session.isSaved) counts.oldestLostHomeMs = Math.max(counts.oldestLostHomeMs, ageMs);
    session.isSaved = !isMoved;
    if (isMoved) Object.assign(session, { boundAt: Date.now(), boundIn: run });
  };

  const turn = async (session: Session, to: string): Promise<void> => {
    const id = randomUUID();
    // An answer may be read after its warden was killed; it is of that run all the same.
    const run = killedAt.length;
    const answer = await fetch(`${to}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': session.id, 'x-request-id': id },
      body: JSON.stringify({
        model: TEST_MODEL,
        max_tokens: 3,
        stream: counts.turns % 2 === 0,
        messages: [{ role: 'user', content: `${session.id} ${LONG}` }],
      }),
    });
    await answer.text();
    if (answer.status !== 200) return;
    const decision = answer.headers.get('x-warden-decision');
    const replica = answer.headers.get('x-warden-replica');
    judge(session, run, decision, replica);
    answered.set(id, { at: Date.now(), run });
    counts.turns += 1;
    session.turnsLeft -= 1;
    if (decision === 'spilled') return;
    session.replica = replica;
    if (session.boundAt === null) counts.homes += 1;
    if (session.boundAt === null) Object.assign(session, { boundAt: Date.now(), boundIn: run, seenIn: run });
  };

  const converse = async (): Promise<void> => {
    let session = newSession();
    while (!isStopping) {
      if (session.turnsLeft <= 0) session = newSession();
      const to = url;
      // Cut off by a kill: an agent tries again, and so does this.
      if (to !== null) await turn(session, to).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
    }
  };

  const conversations = Array.from({ length: sessions }, converse);
  return {
    reach(next) {
      if (next === null) killedAt.push(Date.now());
      url = next;
    },
    async stop() {
      isStopping = true;
      await Promise.all(conversations);
      return { answered, killedAt, ...counts };
    },
  };
}

function newSession(): Session {
  const [least, most] = TURNS_OF_A_SESSION;
  const turnsLeft = least + Math.floor(Math.random() * (most - least));
  return { id: randomUUID(), replica: null, boundAt: null, boundIn: 0, isSaved: false, seenIn: 0, turnsLeft };
}
