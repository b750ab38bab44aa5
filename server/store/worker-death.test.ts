import { describe, expect, it, vi } from 'vitest';
import { requestRow, temporaryStore, workerWith } from './fixtures-for-tests.ts';

const NOW = 1_800_000_000_000;
const PATIENCE = { timeout: 30_000, interval: 100 };

describe('a database thread that ends', () => {
  it('is started again, and what came meanwhile is written', async () => {
    const workerUrl = await workerWith(`
      parentPort.on('message', ({ call }) => { if (call === 'events') process.exit(1); });`);
    const store = await temporaryStore({ workerUrl });
    await expect(store.events(null, 10)).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
    expect(store.warning()).toMatch(/database thread ended .* is being started again/);
    store.recordRequest(requestRow());
    await store.flush();
    await vi.waitFor(() => expect(store.warning()).toBeNull(), PATIENCE);
    expect(await store.requests(null, 10)).toHaveLength(1);
  });

  it('does not make a batch count twice when it ends between writing it and saying so', async () => {
    const workerUrl = await workerWith(`
      const marker = new URL('./answered-once', import.meta.url);
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (message) => {
        if (message.kind === 'answer' && !existsSync(marker)) {
          writeFileSync(marker, '');
          process.exit(1);
        }
        post(message);
      };`);
    const store = await temporaryStore({ workerUrl });
    store.recordRequest(requestRow({ finishedAt: NOW }));
    await store.flush();
    expect(store.warning()).not.toBeNull();
    store.recordRequest(requestRow({ finishedAt: NOW }));
    await vi.waitFor(() => expect(store.warning()).toBeNull(), PATIENCE);
    await store.flush();
    expect(await store.requests(null, 10)).toHaveLength(2);
    expect((await store.tokenSeries(null, '1h', NOW)).at(-1)?.requests).toBe(2);
  });

  it('is not started for ever, and the warning says that statistics stopped', async () => {
    const workerUrl = await workerWith(`
      const marker = new URL('./started-once', import.meta.url);
      if (existsSync(marker)) process.exit(1);
      writeFileSync(marker, '');
      parentPort.on('message', ({ call }) => { if (call === 'events') process.exit(1); });`);
    const store = await temporaryStore({ workerUrl });
    await expect(store.events(null, 10)).rejects.toThrow();
    await vi.waitFor(() => expect(store.warning()).toMatch(/ended again and again/), PATIENCE);
    store.recordRequest(requestRow());
    await store.flush();
    await expect(store.requests(null, 10)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
