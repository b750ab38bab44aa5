import { createFleet } from '#lib/simulation/fleet.ts';
import type { EngineProfile } from '#lib/simulation/profile.ts';
import { createVirtualTime } from '#lib/simulation/virtual-time.ts';
import type { Observed, ScriptedRequest } from './fidelity-script.ts';

/** The simulator's replica, in virtual time, with requests that all arrive in the same instant. */
export function runTogether(profile: EngineProfile, requests: readonly ScriptedRequest[]): Observed {
  const clock = createVirtualTime();
  const fleet = createFleet({ profile, replicas: 1, balancer: 'load-aware', apiServers: 1, clock, seed: 1 });
  const cached = requests.map(() => Number.NaN);
  const order: number[] = [];
  for (const [index, { prompt, maxTokens }] of requests.entries()) {
    fleet.submit({
      prompt: Uint32Array.from(prompt),
      // What it says does not matter: no other request repeats it.
      output: Uint32Array.from({ length: maxTokens }, (_, place) => 10_000 * (index + 1) + place),
      finish: 'length',
      pin: 0,
      apiServer: 0,
      onToken: ({ cachedTokens, finish }) => {
        cached[index] = cachedTokens;
        if (finish !== null) order.push(index);
      },
    });
  }
  const [replica] = fleet.replicas;
  if (replica === undefined) throw new Error('a fleet without a replica');
  clock.runUntil(FIRST_STEPS_MS);
  const { running, waiting } = replica.gauges();
  clock.runAll();
  const { finished, promptTokens, cachedTokens, computedTokens, generationTokens, preemptions } = replica.counters;
  return {
    cached,
    order,
    queue: [running, waiting],
    counters: {
      promptTokens,
      cachedTokens,
      computedTokens,
      generationTokens,
      finishedRequests: finished.stop + finished.length + finished.abort,
      abortedRequests: finished.abort,
      preemptions,
    },
  };
}

/** Enough for all to be admitted that will be. */
const FIRST_STEPS_MS = 500;
