import type { Logger } from 'pino';

/** What finds the replicas of a model. A list is told whole, in a stable order; an empty one is never told. */
export type DiscoveryEvents = {
  readonly onReplicas: (urls: readonly string[]) => void;
  /** The directory cannot be asked, or names nobody: what it said before stays in force. */
  readonly onTrouble: (message: string | null) => void;
  readonly log: Logger;
};

export type Discovery = { close(): void };

/** Tells a list where it is another one than before, and trouble where it begins or ends. */
export function createTelling({ onReplicas, onTrouble, log }: DiscoveryEvents, directory: string) {
  let told: string | null = null;
  let trouble: string | null = null;
  const setTrouble = (message: string | null): void => {
    if (trouble === message) return;
    trouble = message;
    if (message !== null) log.warn({ directory }, message);
    onTrouble(message);
  };
  return {
    found(urls: readonly string[]): void {
      const list = [...new Set(urls)].sort();
      if (list.length === 0) {
        setTrouble(`${directory} names no replica; those known before stay`);
        return;
      }
      setTrouble(null);
      if (told === list.join(' ')) return;
      told = list.join(' ');
      log.info({ directory, replicas: list }, 'replicas discovered');
      onReplicas(list);
    },
    failed(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error);
      setTrouble(`${directory} cannot be asked: ${reason}`);
    },
  };
}

/** A URL's host part: IPv6 addresses stand in brackets. */
export const hostInUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);
