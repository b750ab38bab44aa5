import { expect } from 'vitest';
import type { FleetState } from '#lib/contract/fleet.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { eventually } from './warden-for-tests.ts';

type Engine = Pick<SimulatedFleet, 'url' | 'gauges'>;
type Asked = { fleet(): Promise<FleetState> };

/** What the engines themselves have, running and waiting, by `URL#rank`. */
const atEngines = (engines: readonly Engine[]): Record<string, number> =>
  Object.fromEntries(
    engines.flatMap(({ url, gauges }) =>
      gauges().map(({ running, waiting }, rank) => [`${url}#${rank}`, running + waiting] as const),
    ),
  );

/** What a warden counts, of its own and of the others', by `URL#rank`. */
async function atWarden(warden: Asked): Promise<{ here: Record<string, number>; all: Record<string, number> }> {
  const { replicas } = await warden.fleet();
  const here: Record<string, number> = {};
  const all: Record<string, number> = {};
  const ranks = new Map<string, number>();
  for (const { url, in_flight_here, in_flight_elsewhere } of replicas) {
    const rank = ranks.get(url) ?? 0;
    ranks.set(url, rank + 1);
    here[`${url}#${rank}`] = in_flight_here;
    all[`${url}#${rank}`] = in_flight_here + in_flight_elsewhere;
  }
  return { here, all };
}

/**
 * Within so many ms (a second, unless told otherwise) the engines have `total` requests in all, every warden counts on
 * each replica what the engine itself has there, and what each has sent adds up to it. No turn may begin or end meanwhile.
 */
export function agreeWithEngines(
  wardens: readonly Asked[],
  engines: readonly Engine[],
  total: number,
  withinMs = 1000,
): Promise<void> {
  return eventually(async () => {
    const counted = await Promise.all(wardens.map(atWarden));
    const truth = atEngines(engines);
    expect(Object.values(truth).reduce((sum, one) => sum + one, 0)).toBe(total);
    for (const { all } of counted) expect(all).toEqual(truth);
    for (const [replica, count] of Object.entries(truth)) {
      expect(counted.reduce((sum, { here }) => sum + (here[replica] ?? 0), 0)).toBe(count);
    }
  }, withinMs);
}
