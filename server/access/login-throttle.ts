import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Attempts to enter within a quarter of an hour: of one address, and of all together. */
export type ThrottleLimits = { readonly perAddress: number; readonly all: number };
export const LOGIN_LIMITS: ThrottleLimits = { perAddress: 10, all: 100 };
const WINDOW_SECONDS = 15 * 60;

export type LoginThrottle = {
  /** Counts an attempt; the seconds to wait where there were too many, null where it may go on. */
  attempt(address: string): Promise<number | null>;
  /** The attempt was a good one: it, and those before it from there, count no longer. */
  succeeded(address: string): Promise<void>;
};

/** Attempts count before they are judged, so that many at once gain nothing. */
export function createLoginThrottle({ perAddress, all }: ThrottleLimits = LOGIN_LIMITS): LoginThrottle {
  const ofAddress = new RateLimiterMemory({ points: perAddress, duration: WINDOW_SECONDS });
  const ofAll = new RateLimiterMemory({ points: all, duration: WINDOW_SECONDS });
  return {
    async attempt(address) {
      return (await consume(ofAddress, network(address))) ?? (await consume(ofAll, 'all'));
    },
    async succeeded(address) {
      await ofAddress.delete(network(address));
      await ofAll.reward('all');
    },
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

/** Whoever has one address of IPv6 has the 2^64 of its network. */
function network(address: string): string {
  return address.includes(':') ? fullGroups(address).slice(0, 4).join(':') : address;
}

function fullGroups(address: string): readonly string[] {
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
}
