import { createAdmission } from '#lib/cache-fit/admission.ts';
import { confine } from '#lib/cache-fit/confine.ts';
import { type AdmissionSettings, DEFAULT_ADMISSION, type Ticket } from '#lib/cache-fit/types.ts';
import { createRouter } from '#lib/routing/router.ts';
import type { Decision, Lease } from '#lib/routing/types.ts';
import type { Dispatch, Policy, PolicyContext, PolicyRequest } from './policy.ts';
import { routedRequest } from './routed-request.ts';

type Send = (dispatch: Dispatch) => void;
type Sent = { readonly ticket: Ticket; readonly lease: Lease };

const isOpen = () => true;

/** The product's router behind cache-fit admission, put together as the live server does it. */
export function createCacheFit(context: PolicyContext, settings: AdmissionSettings = DEFAULT_ADMISSION): Policy {
  const { clock, replicaCount, spillThreshold, kvCapacityTokens } = context;
  const router = createRouter({ replicaCount });
  const capacityTokens = Array.from({ length: replicaCount }, () => kvCapacityTokens);
  const admission = createAdmission({ capacityTokens, settings });
  const sent = new Map<PolicyRequest, Sent>();
  const held = new Map<Ticket, { readonly request: PolicyRequest; readonly send: Send }>();
  let wakeAt = Number.POSITIVE_INFINITY;

  const dispatch = (ticket: Ticket, request: PolicyRequest, send: Send) => {
    const now = clock.now();
    const fleet = confine(context.readings(), ticket.replica);
    const lease = router.acquire(routedRequest(request), fleet, { affinity: true, spillThreshold }, now);
    const replica = lease?.decision.replica ?? null;
    if (lease === null || replica === null) throw new Error('no replica is up');
    admission.sent(ticket, replica, now);
    sent.set(request, { ticket, lease });
    send({ replica, stayed: stayedHome(lease.decision) });
  };

  const advance = () => {
    const now = clock.now();
    for (const ticket of admission.advance(isOpen, now)) {
      const waiting = held.get(ticket);
      held.delete(ticket);
      if (waiting !== undefined) dispatch(ticket, waiting.request, waiting.send);
    }
    const next = admission.nextWakeAt(now);
    if (next === null || next >= wakeAt) return;
    wakeAt = next;
    clock.at(next, () => {
      wakeAt = Number.POSITIVE_INFINITY;
      advance();
    });
  };

  return {
    submit: (request, send) => {
      const turn = { key: request.key, kind: 'experiment', bodyBytes: request.bodyBytes };
      const ticket = admission.request(turn, isOpen, clock.now());
      if (ticket.state === 'held') held.set(ticket, { request, send });
      else dispatch(ticket, request, send);
      advance();
    },
    answering: (request) => {
      const of = sent.get(request);
      if (of === undefined) return;
      admission.answering(of.ticket, clock.now());
      advance();
    },
    ended: (request, { promptTokens, cachedTokens, outputTokens }) => {
      const of = sent.get(request);
      if (of === undefined) return;
      sent.delete(request);
      of.lease.release(clock.now());
      const usage = { promptTokens, cachedTokens, completionTokens: outputTokens };
      admission.finished(of.ticket, usage, clock.now());
      advance();
    },
  };
}

function stayedHome({ kind, movedFrom }: Decision): boolean | null {
  if (kind === 'sticky') return true;
  return kind === 'spilled' || movedFrom !== undefined ? false : null;
}
