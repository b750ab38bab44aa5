import type { AdmissionGate } from './admission-gate.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { HomeMemory } from './home-memory.ts';
import type { ReplicaHistory } from './replica-history.ts';

export type ReplicaKnowledgeOptions = {
  readonly router: ClockedRouter;
  readonly admission: AdmissionGate;
  readonly history: ReplicaHistory;
  readonly memory: HomeMemory;
};

/** What is known of a model's replicas: who lives there, what their caches hold, what they did. Forgotten together. */
export class ReplicaKnowledge {
  readonly #of: ReplicaKnowledgeOptions;

  constructor(options: ReplicaKnowledgeOptions) {
    this.#of = options;
  }

  /** Their conversations' caches are elsewhere by now. */
  emptied(replicas: readonly number[]): void {
    const { router, admission, memory } = this.#of;
    for (const replica of replicas) {
      router.forgetReplica(replica);
      admission.forgetReplica(replica);
    }
    memory.replaced();
  }

  /** Their engines are other runs than before. */
  restarted(replicas: readonly number[]): void {
    this.emptied(replicas);
    for (const replica of replicas) this.#of.history.clear(replica);
  }

  /** There are `replicaCount` numbers now, and `others` mean other replicas than before: these begin anew. */
  renumbered(others: readonly number[], replicaCount: number): void {
    const { router, admission, history, memory } = this.#of;
    for (const replica of others) {
      router.forgetReplica(replica);
      router.forgetTally(replica);
      admission.replaceReplica(replica);
      history.clear(replica);
    }
    router.resize(replicaCount);
    memory.replaced();
  }
}
