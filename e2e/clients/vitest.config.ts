import { defineConfig } from 'vitest/config';

/** Real clients, downloaded into a temporary folder: `npm run test:clients`, apart from `npm test`. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['*.clients.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
