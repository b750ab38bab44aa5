import { setImmediate } from 'node:timers/promises';
import { beforeEach } from 'vitest';

/**
 * A server of the test before may have closed its connections just now, and `fetch` keeps its ends of them until the
 * event loop tells it. The port may be given to the next server at once; its first request must not go to the old one.
 */
beforeEach(async () => {
  await setImmediate();
  await setImmediate();
});
