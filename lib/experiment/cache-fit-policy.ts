import { type Admission, createAdmission } from '#lib/cache-fit/admission.ts';
import { confine } from '#lib/cache-fit/confine.ts';
import { NEWS_MS } from '#lib/cache-fit/news.ts';
import { DEFAULT_ADMISSION, NO_LOAD_ELSEWHERE, type Ticket } from '#lib/cache-fit/types.ts';
import { createRouter, type Router } from '#lib/routing/router.ts';
import type { Decision, Lease } from '#lib/routing/types.ts';
import { hashText } from './hash-text.ts';
import type { Dispatch, Policy, PolicyContext, PolicyRequest } from './policy.ts';
import { routedRequest } from './routed-request.ts';

type Send = (dispatch: Dispatch) => void;
type Sent = { readonly ticket: Ticket; readonly lease: Lease };

const isOpen = () => true;
/** How often wardens tell one another what they hold, as the live ones do while turns are held. */
const TELL_EVERY_MS = 250;

/** How a balancer spreads requests over wardens: each conversation kept at one, or every request dealt out anew. */
export type Balanced = { readonly wardens: number; readonly by: 'conversation' | 'request' };

/**
 * The product's router behind cache-fit admission, put together as the live server does it. With several wardens each
 * has an admission of its own; they share homes and tell one another of their conversations, so that all wait in one line.
 */
export function createCacheFit(
  context: PolicyContext,
  { wardens: wardenCount, by }: Balanced = { wardens: 1, by: 'conversation' },
): Policy {
  const { clock, replicaCount } = context;
  const router = createRouter({ replicaCount });
  const wardens = Array.from({ length: wardenCount }, () => new VirtualWarden(context, router));
  const chosen = new Map<PolicyRequest, VirtualWarden | undefined>();
  let requests = 0;
  const choose = ({ key }: PolicyRequest): VirtualWarden | undefined => {
    requests += 1;
    return wardens[hashText(by === 'conversation' ? key : `${key} ${requests}`) % wardenCount];
  };
  const tell = () => {
    for (const warden of wardens) warden.hear(wardens.filter((other) => other !== warden));
    clock.at(clock.now() + TELL_EVERY_MS, tell);
  };
  if (wardenCount > 1) tell();
  return {
    submit: (request, send) => {
      const warden = choose(request);
      chosen.set(request, warden);
      warden?.submit(request, send);
    },
    answering: (request) => chosen.get(request)?.answering(request),
    ended: (request, { promptTokens, cachedTokens, outputTokens }) => {
      chosen.get(request)?.ended(request, { promptTokens, cachedTokens, completionTokens: outputTokens });
      chosen.delete(request);
    },
  };
}

class VirtualWarden {
  readonly #context: PolicyContext;
  readonly #router: Router;
  readonly #admission: Admission;
  readonly #sent = new Map<PolicyRequest, Sent>();
  readonly #held = new Map<Ticket, { readonly request: PolicyRequest; readonly send: Send }>();
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(context: PolicyContext, router: Router) {
    const capacityTokens = Array.from({ length: context.replicaCount }, () => context.kvCapacityTokens);
    this.#context = context;
    this.#router = router;
    this.#admission = createAdmission({ capacityTokens, settings: DEFAULT_ADMISSION });
  }

  submit(request: PolicyRequest, send: Send): void {
    const { key, bodyBytes } = request;
    const home = this.#router.home(key, this.#context.clock.now())?.replica ?? null;
    const turn = { key, kind: 'experiment', bodyBytes, home };
    const ticket = this.#admission.request(turn, isOpen, this.#context.clock.now());
    if (ticket.state === 'held') this.#held.set(ticket, { request, send });
    else this.#dispatch(ticket, request, send);
    this.#advance();
  }

  answering(request: PolicyRequest): void {
    const sent = this.#sent.get(request);
    if (sent === undefined) return;
    this.#admission.answering(sent.ticket, this.#context.clock.now());
    this.#advance();
  }

  ended(request: PolicyRequest, usage: Parameters<Admission['finished']>[1]): void {
    const sent = this.#sent.get(request);
    if (sent === undefined) return;
    this.#sent.delete(request);
    sent.lease.release(this.#context.clock.now());
    this.#admission.finished(sent.ticket, usage, this.#context.clock.now());
    this.#advance();
  }

  hear(others: readonly VirtualWarden[]): void {
    const now = this.#context.clock.now();
    const own = [...this.#sent.values()].map(({ lease }) => lease.decision.replica);
    const replicas = Array.from({ length: this.#context.replicaCount }, (_, replica) => ({
      ...NO_LOAD_ELSEWHERE,
      inFlight: this.#router.inFlight(replica) - own.filter((one) => one === replica).length,
    }));
    const conversations = others.flatMap((other) => other.#admission.tell(now));
    this.#admission.hear({ newsMs: NEWS_MS, waitsMs: [], replicas, conversations }, now);
    this.#advance();
  }

  #dispatch(ticket: Ticket, request: PolicyRequest, send: Send): void {
    const { clock, spillThreshold } = this.#context;
    const now = clock.now();
    const fleet = confine(this.#context.readings(), ticket.replica);
    const lease = this.#router.acquire(routedRequest(request), fleet, { affinity: true, spillThreshold }, now);
    const replica = lease?.decision.replica ?? null;
    if (lease === null || replica === null) throw new Error('no replica is up');
    this.#admission.sent(ticket, replica, now);
    this.#sent.set(request, { ticket, lease });
    send({ replica, stayed: stayedHome(lease.decision) });
  }

  #advance(): void {
    const { clock } = this.#context;
    const now = clock.now();
    for (const ticket of this.#admission.advance(isOpen, now)) {
      const waiting = this.#held.get(ticket);
      this.#held.delete(ticket);
      if (waiting !== undefined) this.#dispatch(ticket, waiting.request, waiting.send);
    }
    const next = this.#admission.nextWakeAt(now);
    if (next === null || next >= this.#wakeAt) return;
    this.#wakeAt = next;
    clock.at(next, () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.#advance();
    });
  }
}

function stayedHome({ kind, movedFrom }: Decision): boolean | null {
  if (kind === 'sticky') return true;
  return kind === 'spilled' || movedFrom !== undefined ? false : null;
}
