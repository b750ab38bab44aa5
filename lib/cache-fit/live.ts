import { type Conversation, isHeld } from './conversation.ts';
import { isAlive, type Scene } from './room.ts';

/** The conversations that are likely to go on, wherever they are: what would have to fit for nothing to be held. */
export type LiveView = {
  readonly conversations: number;
  /** The median of their tokens; null where there is none. */
  readonly typicalTokens: number | null;
  /** The longest beginning that one of them shares with others. */
  readonly sharedTokens: number;
  /** For each replica, of those that are there or were there last: tokens, shared beginnings once, and how many. */
  readonly replicas: readonly { readonly tokens: number; readonly conversations: number }[];
};

export function liveOf(all: Iterable<Conversation>, scene: Scene): LiveView {
  const isLive = isAlive(scene);
  const live = [...all].filter((one) => isHeld(one, scene.now) || (one.turns > 0 && isLive(one)));
  const sizes = live.map(({ tokens }) => tokens).sort((a, b) => a - b);
  return {
    conversations: live.length,
    typicalTokens: sizes[Math.floor(sizes.length / 2)] ?? null,
    sharedTokens: longestShared(live),
    replicas: byReplica(live, scene.replicas.length).map((here) => {
      const shared = longestShared(here);
      const own = here.reduce((sum, one) => sum + one.tokens - one.shared, 0);
      return { tokens: shared + own, conversations: here.length };
    }),
  };
}

function byReplica(live: readonly Conversation[], replicaCount: number): readonly (readonly Conversation[])[] {
  const groups: Conversation[][] = Array.from({ length: replicaCount }, () => []);
  for (const one of live) groups[one.replica ?? one.lastReplica ?? -1]?.push(one);
  return groups;
}

function longestShared(conversations: readonly Conversation[]): number {
  return conversations.reduce((longest, { shared }) => Math.max(longest, shared), 0);
}
