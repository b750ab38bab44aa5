import type { SimulationClock } from '#lib/simulation/clock.ts';
import { Conversation, type RenderedTurn } from './conversation.ts';
import type { SessionScript } from './session-script.ts';

export type SessionTurn = RenderedTurn & { readonly key: string; readonly turn: number };

/** What a conversation needs of the world. `send` calls `answered` when the client has the whole answer. */
export type SessionHost = {
  readonly clock: SimulationClock;
  send(turn: SessionTurn, answered: () => void): void;
};

/** Plays a conversation from now on, its subagents with it, and calls `ended` after the last answer. */
export function runSession(script: SessionScript, host: SessionHost, ended: () => void): void {
  const conversation = new Conversation(script);
  const { clock } = host;
  const next = () => {
    const upcoming = conversation.upcoming;
    if (upcoming === null) {
      ended();
      return;
    }
    let awaited = 1 + upcoming.subagents.length;
    const arrived = () => {
      awaited -= 1;
      if (awaited > 0) return;
      const { turn } = conversation;
      host.send({ ...conversation.begin(), key: script.key, turn }, next);
    };
    clock.at(clock.now() + upcoming.thinkMs, arrived);
    for (const subagent of upcoming.subagents) runSession(subagent, host, arrived);
  };
  next();
}
