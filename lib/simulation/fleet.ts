import { type BalancerKind, createBalancer } from './balancer.ts';
import type { SimulationClock } from './clock.ts';
import type { EngineProfile } from './profile.ts';
import { createRandom } from './random.ts';
import { Replica } from './replica.ts';
import { driveReplica } from './replica-driver.ts';
import type { EngineRequest } from './sequence.ts';
import { apiOverheadMs } from './step-time.ts';

export type FleetSetup = {
  readonly profile: EngineProfile;
  readonly replicas: number;
  readonly balancer: BalancerKind;
  /** API-server processes, each with its own balancer; vLLM's default is one per rank. */
  readonly apiServers: number;
  readonly clock: SimulationClock;
  readonly seed: number;
};

export type FleetRequest = EngineRequest & {
  /** The replica to use; null lets the API server choose. */
  readonly pin: number | null;
  /** The API-server process that has the client's connection. */
  readonly apiServer: number;
};

/** `abort` may be called at any time; after the end it does nothing. */
export type Submission = { readonly replica: number; abort(): void };

export type Fleet = { readonly replicas: readonly Replica[]; submit(request: FleetRequest): Submission };

/** One vLLM server with internal data-parallel balancing: `replicas` ranks behind `apiServers` API servers. */
export function createFleet(setup: FleetSetup): Fleet {
  const { profile, clock } = setup;
  const replicas = Array.from(
    { length: setup.replicas },
    (_, rank) => new Replica(profile, createRandom(setup.seed * 1009 + rank)),
  );
  const drivers = replicas.map((replica) => driveReplica(replica, clock));
  const loads = () => replicas.map((replica) => replica.gauges());
  const balancers = Array.from({ length: setup.apiServers }, (_, process) =>
    createBalancer({ kind: setup.balancer, ranks: replicas.length, process, processes: setup.apiServers, loads }),
  );

  return {
    replicas,
    submit(request) {
      const balancer = balancers[request.apiServer % balancers.length];
      if (balancer === undefined) throw new RangeError('a fleet needs an API server');
      const rank = request.pin ?? balancer.choose(clock.now());
      const driver = drivers[rank];
      if (driver === undefined)
        throw new RangeError(`data_parallel_rank ${rank} is out of range [0, ${drivers.length})`);
      let open = true;
      const end = () => {
        if (open) balancer.ended(rank);
        open = false;
      };
      const sequence = driver.submit(
        {
          ...request,
          onToken: (event) => {
            if (event.finish !== null) end();
            request.onToken(event);
          },
        },
        apiOverheadMs(profile.timing, request.prompt.length),
      );
      balancer.dispatched(rank);
      return {
        replica: rank,
        abort: () => {
          end();
          driver.abort(sequence);
        },
      };
    },
  };
}
