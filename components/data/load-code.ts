const AGAIN_MS = 2000;

/**
 * Loads a part of the console's code. While the router is away it waits until it answers again, as everything on a page
 * does, and tries once more; code that is not to be had then either is a fault. Rejects with what the load rejected with.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await untilReachable();
    return load();
  }
}

async function untilReachable(): Promise<void> {
  for (;;) {
    const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
