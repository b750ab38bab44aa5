import type { SimulationClock } from './clock.ts';
import type { Replica } from './replica.ts';
import type { EngineRequest, Sequence } from './sequence.ts';

export type ReplicaDriver = {
  /** The request reaches the engine `delayMs` from now: what the API server needs for it. */
  submit(request: EngineRequest, delayMs: number): Sequence;
  abort(sequence: Sequence): void;
};

/**
 * Runs a replica's steps back to back while it has work. A step that ends late (a busy machine) does not push the next
 * one back: each starts where the one before was due. An idle replica leaves nothing in the clock.
 */
export function driveReplica(replica: Replica, clock: SimulationClock): ReplicaDriver {
  const beginStep = (at: number) => {
    const duration = replica.startStep();
    if (duration !== null) clock.at(at + duration, endStep);
  };
  const endStep = (at: number) => {
    replica.finishStep(at);
    beginStep(at);
  };
  const arrive = (sequence: Sequence, at: number) => {
    replica.enqueue(sequence);
    if (!replica.isStepping) beginStep(at);
  };

  return {
    submit(request, delayMs) {
      const sequence = replica.prepare(request);
      clock.at(clock.now() + delayMs, (at) => arrive(sequence, at));
      return sequence;
    },
    abort: (sequence) => replica.abort(sequence),
  };
}
