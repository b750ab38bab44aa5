import { type AdmissionView, viewOf } from './admission-view.ts';
import { MovingAverage } from './average.ts';
import { type Conversation, isFirst, isUnderWay } from './conversation.ts';
import { ConversationTable } from './conversation-table.ts';
import { Habits } from './habits.ts';
import { liveOf } from './live.ts';
import { changedHere, isNews, lostHere, newsOf, takeNews, takeUnderWay } from './news.ts';
import { Residents } from './residents.ts';
import {
  type Crowd,
  crowdOf,
  fitsEverywhere,
  isKept,
  isPointless,
  keepTimes,
  leastFull,
  roomFor,
  type Scene,
} from './room.ts';
import { hasFarOutgrown, hasOutgrown, isDue, yieldAfterMs } from './stay.ts';
import { SteadyClock } from './steady-clock.ts';
import {
  type AdmissionSettings,
  type AdmissionTurn,
  type Elsewhere,
  NO_LOAD_ELSEWHERE,
  type OpenReplicas,
  type Ticket,
  type ToldConversation,
  type TurnUsage,
} from './types.ts';
import { WaitQueue } from './wait-queue.ts';

/**
 * Where a held turn stands in the line of all routers: 0 for its head. The wait is null until turns have been let go at
 * a steady rate.
 */
type QueuePlace = { readonly position: number; readonly expectedWaitMs: number | null };

/**
 * Cache-fit admission of one model, a deterministic state machine. `now` is in ms on any clock; should it jump back,
 * time stands still for the admission until it goes on. After each call, and at `nextWakeAt`, call `advance` and send
 * the tickets that it returns. Everything else about a turn (its replica's health, its home) is the router's.
 */
export type Admission = {
  /** A turn arrives: the ticket is `ready` or `held`. */
  request(turn: AdmissionTurn, open: OpenReplicas, now: number): Ticket;
  /** A ready turn has gone to `replica`; again for one that failed over to another. */
  sent(ticket: Ticket, replica: number, now: number): void;
  /** The first byte of the answer has come. */
  answering(ticket: Ticket, now: number): void;
  /** A sent turn is over; `usage` is null where it failed, was left by its client or was not measured. */
  finished(ticket: Ticket, usage: TurnUsage | null, now: number): void;
  /** The client of a turn, held or sent, has left. */
  left(ticket: Ticket, now: number): void;
  /** The held turns to be sent now, each with its replica (null: none is open, the router's rules decide). */
  advance(open: OpenReplicas, now: number): readonly Ticket[];
  /** When `advance` may have more to send though nothing else happens; null while nothing is held. */
  nextWakeAt(now: number): number | null;
  /** Lets all held turns go, as when admission is switched off. */
  drain(now: number): readonly Ticket[];
  place(ticket: Ticket, now: number): QueuePlace | null;
  configure(settings: AdmissionSettings): void;
  /**
   * Other routers have told of themselves. What they keep is no room here, and all that is held is one line: who waits
   * longest, wherever, goes first.
   */
  hear(elsewhere: Elsewhere, now: number): void;
  /** The conversations that changed here a moment ago, for others to hear. */
  tell(now: number): readonly ToldConversation[];
  /** What the engine reports of a replica's cache in tokens; null: it does not, so it is learned. */
  setCapacity(replica: number, tokens: number | null): void;
  /** This replica's cache is gone. */
  forgetReplica(replica: number, now: number): void;
  /** The number means another replica from now on: of its cache nothing is known, nor how much it holds. */
  replaceReplica(replica: number, now: number): void;
  resize(replicaCount: number, now: number): void;
  view(now: number): AdmissionView;
};

export type AdmissionOptions = {
  /** For each replica the tokens its cache holds; null where the engine does not report it. */
  readonly capacityTokens: readonly (number | null)[];
  readonly settings: AdmissionSettings;
  readonly maxConversations?: number;
};

export function createAdmission(options: AdmissionOptions): Admission {
  return new CacheFitAdmission(options);
}

const EVERYWHERE: OpenReplicas = () => true;
/** All conversations are looked at for it, so not with every turn. */
const CROWD_CHECK_MS = 500;
/**
 * Room is left so long to a turn that is held elsewhere and has waited longer: until its router must have heard of the
 * room, and this one of what became of it. Then it does not want it.
 */
const LEFT_TO_OTHERS_MS = 3000;
/** Who is further back in the line is told of when it comes nearer. */
const HELD_TOLD = 256;

class CacheFitAdmission implements Admission {
  readonly #clock = new SteadyClock();
  readonly #conversations: ConversationTable;
  readonly #habits = new Habits();
  readonly #queue = new WaitQueue();
  readonly #betweenReleases = new MovingAverage(20);
  #replicas: Residents[];
  #settings: AdmissionSettings;
  #releasedAt: number | null = null;
  /** Since when there has been room that is left to others; null where there is none. */
  #leftToOthersSince: number | null = null;
  #gaveWayElsewhereAt = Number.NEGATIVE_INFINITY;
  #crowd: Crowd = { isTight: false, conversations: 0 };
  #crowdCheckedAt = Number.NEGATIVE_INFINITY;
  #newsMs = 0;
  #displaced = 0;
  #heldTotal = 0;

  constructor({ capacityTokens, settings, maxConversations = 8192 }: AdmissionOptions) {
    this.#replicas = capacityTokens.map((tokens) => new Residents(tokens));
    this.#settings = settings;
    this.#conversations = new ConversationTable(maxConversations);
  }

  request(turn: AdmissionTurn, open: OpenReplicas, at: number): Ticket {
    const now = this.#clock.read(at);
    const conversation = this.#conversation(turn, now);
    const ticket = newTicket(turn, conversation, now);
    if (this.#settings.maxHeld === 0 && this.#queue.length === 0) return this.#watched(ticket, open);
    this.#takeHome(conversation, turn.home ?? null, open);
    const scene = this.#scene(open, now);
    if (conversation.replica !== null && open(conversation.replica)) {
      if (!this.#givesWay(conversation, scene)) {
        ticket.tokensSince = this.#replicas[conversation.replica]?.tokensSince(conversation) ?? null;
        if (!this.#queue.isLineEmpty || !fitsEverywhere(scene, null)) ticket.replica = conversation.replica;
        return ticket;
      }
      this.#displace(conversation, now);
      ticket.gaveWay = true;
    }
    ticket.isCold = true;
    if (this.#queue.isLineEmpty) {
      if (fitsEverywhere(scene, conversation) || isPointless(scene, conversation)) return ticket;
      ticket.replica = roomFor(scene, conversation);
      if (ticket.replica !== null) return ticket;
    }
    if (this.#queue.length >= this.#settings.maxHeld) {
      ticket.replica = leastFull(scene, conversation);
      return ticket;
    }
    ticket.state = 'held';
    this.#heldTotal += 1;
    this.#queue.push(ticket, now);
    changedHere(conversation, now);
    return ticket;
  }

  /** A conversation that is new here alone has its place where it lives: its cache is there. */
  #takeHome(conversation: Conversation, home: number | null, open: OpenReplicas): void {
    const isKnown = conversation.turns > 0 || conversation.held > 0 || conversation.replica !== null;
    if (!isKnown && home !== null && home < this.#replicas.length && open(home)) this.#moveIn(conversation, home);
  }

  /** Where nothing may be held there is nothing to arrange: the router's rules decide, and what they do is learned. */
  #watched(ticket: Ticket, open: OpenReplicas): Ticket {
    const { conversation } = ticket;
    if (conversation.replica === null || !open(conversation.replica)) ticket.isCold = true;
    else ticket.tokensSince = this.#replicas[conversation.replica]?.tokensSince(conversation) ?? null;
    return ticket;
  }

  sent(ticket: Ticket, replica: number, at: number): void {
    const now = this.#clock.read(at);
    if (ticket.state === 'held' || ticket.state === 'ended') return;
    if (ticket.state === 'sent') {
      if (ticket.replica === replica) return;
      this.#leaveReplica(ticket);
    }
    const residents = this.#replicas[replica];
    if (residents === undefined) return;
    const { conversation } = ticket;
    if (conversation.replica !== replica) {
      this.#moveIn(conversation, replica);
      ticket.isCold = true;
    }
    ticket.state = 'sent';
    ticket.replica = replica;
    ticket.sentAt = now;
    conversation.turnsHere += 1;
    conversation.turns += 1;
    conversation.inFlight += 1;
    conversation.lastActiveAt = now;
    residents.inFlight += 1;
    ticket.coldTokens = ticket.isCold ? Math.max(0, conversation.tokens - conversation.shared) : 0;
    conversation.computing = ticket.coldTokens;
    changedHere(conversation, now);
    ticket.wasAlone = residents.unanswered === 0;
    residents.unanswered += 1;
    residents.computing += ticket.coldTokens;
    const kept = isKept(this.#scene(EVERYWHERE, now));
    residents.evict((one) => !kept(one));
  }

  answering(ticket: Ticket, at: number): void {
    if (ticket.state !== 'sent' || ticket.answeringAt !== null) return;
    ticket.answeringAt = this.#clock.read(at);
    const residents = this.#replicas[ticket.replica ?? -1];
    if (residents !== undefined) this.#answered(ticket, residents);
  }

  finished(ticket: Ticket, usage: TurnUsage | null, at: number): void {
    if (ticket.state !== 'sent') return;
    const now = this.#clock.read(at);
    if (usage === null) this.#leaveReplica(ticket);
    else this.#complete(ticket, usage, now);
    ticket.state = 'ended';
    changedHere(ticket.conversation, now);
    ticket.conversation.lastActiveAt = now;
    this.#habits.pauses(ticket.conversation.kind).answered();
  }

  left(ticket: Ticket, at: number): void {
    if (ticket.state === 'sent') this.finished(ticket, null, at);
    if (ticket.state === 'held') {
      this.#queue.remove(ticket, this.#clock.read(at));
      this.#leftToOthersSince = null;
    }
    ticket.state = 'ended';
  }

  advance(open: OpenReplicas, at: number): readonly Ticket[] {
    const now = this.#clock.read(at);
    const scene = this.#scene(open, now);
    const released: Ticket[] = [];
    for (let { head } = this.#queue; head !== null; head = this.#queue.head) {
      const { conversation, askedAt, turn } = head;
      // Of one that is new, more may be known by now.
      if (conversation.turns === 0) this.#estimate(conversation, turn.bodyBytes);
      const home = conversation.replica !== null && open(conversation.replica) ? conversation.replica : null;
      let replica = home ?? roomFor(scene, conversation);
      if (home === null && this.#leavesToOthers(head, replica !== null, scene)) break;
      if (replica === null && !isPointless(scene, conversation)) {
        if (now - askedAt < this.#settings.maxHoldMs) break;
        replica = leastFull(scene, conversation);
      }
      this.#release(head, replica, now);
      released.push(head);
    }
    return released;
  }

  /** Whether the head has room but another, held elsewhere, has waited longer and is to have it first. */
  #leavesToOthers(head: Ticket, hasRoom: boolean, scene: Scene): boolean {
    const leader = this.#queue.leaderElsewhere;
    const { now } = scene;
    if (!hasRoom || leader === null || now - head.askedAt >= this.#settings.maxHoldMs) {
      this.#leftToOthersSince = null;
      return false;
    }
    // As behind one held here: who needs more room than there is keeps his place in front.
    if (leader.conversation !== null && roomFor(scene, leader.conversation) === null) {
      this.#leftToOthersSince = null;
      return true;
    }
    this.#leftToOthersSince ??= now;
    if (now - this.#leftToOthersSince < LEFT_TO_OTHERS_MS) return true;
    this.#leftToOthersSince = null;
    if (leader.conversation === null) return false;
    this.#queue.passOver(leader.conversation);
    return this.#leavesToOthers(head, hasRoom, scene);
  }

  nextWakeAt(at: number): number | null {
    const now = this.#clock.read(at);
    const { head } = this.#queue;
    if (head === null) return null;
    const scene = this.#scene(EVERYWHERE, now);
    const keepMs = keepTimes(scene);
    let wakeAt = head.askedAt + this.#settings.maxHoldMs;
    if (this.#leftToOthersSince !== null) wakeAt = Math.min(wakeAt, this.#leftToOthersSince + LEFT_TO_OTHERS_MS);
    for (const residents of this.#replicas) {
      for (const one of residents) {
        if (one.inFlight === 0 && one.inFlightElsewhereUntil > now) {
          wakeAt = Math.min(wakeAt, one.inFlightElsewhereUntil + 1);
        }
        const keptUntil = one.lastActiveAt + keepMs(one.kind);
        if (!isUnderWay(one, now) && keptUntil >= now) wakeAt = Math.min(wakeAt, keptUntil + 1);
      }
    }
    return this.#clock.onCallersClock(Math.max(wakeAt, now + 1));
  }

  drain(at: number): readonly Ticket[] {
    const now = this.#clock.read(at);
    const released: Ticket[] = [];
    for (let { head } = this.#queue; head !== null; head = this.#queue.head) {
      this.#release(head, null, now);
      released.push(head);
    }
    return released;
  }

  place(ticket: Ticket, at: number): QueuePlace | null {
    const index = this.#queue.index(ticket);
    const position = this.#queue.position(ticket);
    if (index === null || position === null) return null;
    const between = this.#betweenReleases.value;
    if (between === null) return { position, expectedWaitMs: null };
    const sinceLast = this.#clock.read(at) - (this.#releasedAt ?? 0);
    const left = this.#settings.maxHoldMs - (this.#clock.read(at) - ticket.askedAt);
    return { position, expectedWaitMs: Math.max(0, Math.min(left, (index + 1) * between - sinceLast)) };
  }

  configure(settings: AdmissionSettings): void {
    this.#settings = settings;
  }

  hear(elsewhere: Elsewhere, at: number): void {
    const now = this.#clock.read(at);
    this.#newsMs = elsewhere.newsMs;
    for (const [replica, residents] of this.#replicas.entries()) {
      residents.elsewhere = elsewhere.replicas[replica] ?? NO_LOAD_ELSEWHERE;
      residents.computingElsewhere = 0;
    }
    const held = elsewhere.conversations.flatMap((told) => {
      const conversation = this.#take(told, now);
      return told.heldForMs === null ? [] : { askedAt: now - told.heldForMs, conversation };
    });
    const untold = elsewhere.waitsMs.map((waitMs) => ({ askedAt: now - waitMs, conversation: null }));
    this.#queue.hear([...held, ...untold], now);
  }

  /** What another router had of a conversation holds here too, unless this one has had it since. */
  #take(told: ToldConversation, now: number): Conversation {
    const one = this.#conversations.use(told.key, told.kind, now);
    this.#forgetOldest(now);
    const residents = told.replica === null ? undefined : this.#replicas[told.replica];
    if (residents !== undefined) residents.computingElsewhere += told.computing;
    takeUnderWay(told, one, now);
    if (!isNews(told, one, now)) return one;
    if (residents === undefined || told.replica === null) this.#moveOut(one);
    else if (one.replica !== told.replica) this.#moveIn(one, told.replica);
    takeNews(told, one, now);
    return one;
  }

  tell(at: number): readonly ToldConversation[] {
    const now = this.#clock.read(at);
    return newsOf(this.#conversations, this.#queue.waits(now, HELD_TOLD), now);
  }

  setCapacity(replica: number, tokens: number | null): void {
    this.#replicas[replica]?.capacity.report(tokens);
  }

  forgetReplica(replica: number, at: number): void {
    const now = this.#clock.read(at);
    for (const one of [...(this.#replicas[replica] ?? [])]) {
      this.#moveOut(one);
      lostHere(one, now);
    }
  }

  replaceReplica(replica: number, now: number): void {
    if (replica >= this.#replicas.length) return;
    this.forgetReplica(replica, now);
    this.#replicas[replica] = new Residents(null);
  }

  resize(replicaCount: number, now: number): void {
    for (let replica = replicaCount; replica < this.#replicas.length; replica += 1) this.forgetReplica(replica, now);
    this.#replicas = Array.from(
      { length: replicaCount },
      (_, replica) => this.#replicas[replica] ?? new Residents(null),
    );
  }

  view(at: number): AdmissionView {
    const now = this.#clock.read(at);
    const scene = this.#scene(EVERYWHERE, now);
    const held = { count: this.#queue.length, total: this.#heldTotal, displaced: this.#displaced };
    const { head } = this.#queue;
    const longestWaitMs = head === null ? null : now - head.askedAt;
    const live = liveOf(this.#conversations, scene);
    const yieldAfter = yieldAfterMs(scene, this.#queue, this.#settings);
    return viewOf(scene, { ...held, longestWaitMs, yieldAfterMs: yieldAfter, live });
  }

  #scene(open: OpenReplicas, now: number): Scene {
    if (now >= this.#crowdCheckedAt + CROWD_CHECK_MS) {
      this.#crowd = crowdOf(this.#conversations, { replicas: this.#replicas, habits: this.#habits, now });
      this.#crowdCheckedAt = now;
    }
    return { replicas: this.#replicas, habits: this.#habits, open, crowd: this.#crowd, newsMs: this.#newsMs, now };
  }

  /** The conversation with the size that this turn is expected to give it. */
  #conversation({ key, kind, bodyBytes }: AdmissionTurn, now: number): Conversation {
    const conversation = this.#conversations.use(key, kind, now);
    this.#forgetOldest(now);
    const { inFlight, held, turns, lastActiveAt } = conversation;
    if (inFlight > 0) return conversation;
    if (turns > 0 && held === 0 && !isUnderWay(conversation, now))
      this.#habits.pauses(conversation.kind).returned(now - lastActiveAt);
    this.#estimate(conversation, bodyBytes);
    return conversation;
  }

  #estimate(conversation: Conversation, bodyBytes: number): void {
    const promptTokens = this.#habits.promptTokens(bodyBytes, conversation);
    conversation.tokens = promptTokens + this.#habits.answerTokens;
    conversation.shared = Math.min(conversation.turns === 0 ? this.#habits.shared : conversation.shared, promptTokens);
  }

  #forgetOldest(now: number): void {
    const forgotten = this.#conversations.forgetOldest(now);
    if (forgotten !== null) this.#moveOut(forgotten);
  }

  /** At its next turn a conversation gives up its place for those who wait, for room elsewhere, or where far too many are. */
  #givesWay(conversation: Conversation, scene: Scene): boolean {
    if (isUnderWay(conversation, scene.now)) return false;
    const isOutgrown = hasOutgrown(conversation, scene, this.#settings);
    if (!this.#queue.isLineEmpty) return isOutgrown || this.#isDue(conversation, scene);
    if (!isOutgrown) return false;
    const elsewhere = roomFor(scene, conversation);
    if (elsewhere !== null) return elsewhere !== conversation.replica;
    return hasFarOutgrown(conversation, scene) && !isPointless(scene, conversation);
  }

  /** For one that waits elsewhere only one gives way, until its router can have heard of it. */
  #isDue(conversation: Conversation, scene: Scene): boolean {
    if (this.#queue.leaderElsewhere !== null && scene.now < this.#gaveWayElsewhereAt + LEFT_TO_OTHERS_MS) return false;
    return isDue(conversation, scene, this.#queue, this.#settings);
  }

  #displace(conversation: Conversation, now: number): void {
    if (this.#queue.leaderElsewhere !== null) this.#gaveWayElsewhereAt = now;
    this.#moveOut(conversation);
    this.#displaced += 1;
  }

  #moveOut(conversation: Conversation): void {
    if (conversation.replica !== null) this.#replicas[conversation.replica]?.delete(conversation);
    conversation.replica = null;
  }

  #moveIn(conversation: Conversation, replica: number): void {
    if (conversation.replica !== null) this.#replicas[conversation.replica]?.delete(conversation);
    conversation.replica = replica;
    conversation.lastReplica = replica;
    conversation.turnsHere = 0;
    this.#replicas[replica]?.add(conversation);
  }

  #release(ticket: Ticket, replica: number | null, now: number): void {
    this.#queue.remove(ticket, now);
    this.#leftToOthersSince = null;
    ticket.state = 'ready';
    ticket.replica = replica;
    if (this.#releasedAt !== null && this.#queue.length > 0) this.#betweenReleases.add(now - this.#releasedAt);
    this.#releasedAt = now;
    // Counted at once, so that the next in the queue sees it; the caller's own `sent` then changes nothing.
    if (replica !== null) this.sent(ticket, replica, this.#clock.onCallersClock(now));
  }

  #leaveReplica(ticket: Ticket): void {
    const residents = this.#replicas[ticket.replica ?? -1];
    ticket.conversation.inFlight -= 1;
    if (residents === undefined) return;
    // Not below zero: the replica may have gone and come back since.
    residents.inFlight = Math.max(0, residents.inFlight - 1);
    if (ticket.answeringAt === null) this.#answered(ticket, residents);
  }

  #answered(ticket: Ticket, residents: Residents): void {
    ticket.conversation.computing = 0;
    residents.unanswered = Math.max(0, residents.unanswered - 1);
    residents.computing = Math.max(0, residents.computing - ticket.coldTokens);
  }

  /** The first conversation on a replica found nothing there; what the next one finds is its beginning as well. */
  #shareWithFirst({ replica, shared }: Conversation): void {
    for (const one of this.#replicas[replica ?? -1] ?? []) {
      if (one.shared === 0 && one.lastTotal !== null) one.shared = Math.min(shared, one.tokens);
    }
  }

  #complete(ticket: Ticket, usage: TurnUsage, now: number): void {
    const { conversation } = ticket;
    this.#leaveReplica(ticket);
    this.#habits.learn(ticket, usage, now);
    if (ticket.tokensSince !== null && usage.cachedTokens !== null && !ticket.isCold) {
      const { capacity } = this.#replicas[ticket.replica ?? -1] ?? {};
      capacity?.learn(ticket.tokensSince, conversation.lastTotal ?? 0, usage.cachedTokens);
    }
    if (isFirst(conversation) && usage.cachedTokens !== null && usage.cachedTokens > 0) {
      conversation.shared = usage.cachedTokens;
      this.#shareWithFirst(conversation);
    }
    conversation.lastTotal = usage.promptTokens + usage.completionTokens;
    conversation.tokens = conversation.lastTotal;
    conversation.shared = Math.min(conversation.shared, conversation.tokens);
  }
}

function newTicket(turn: AdmissionTurn, conversation: Conversation, now: number): Ticket {
  return {
    turn,
    conversation,
    askedAt: now,
    state: 'ready',
    replica: null,
    gaveWay: false,
    isCold: false,
    coldTokens: 0,
    wasAlone: false,
    tokensSince: null,
    sentAt: now,
    answeringAt: null,
  };
}
