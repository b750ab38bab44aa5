import { defineConfig } from 'vitest/config';

/** A real vLLM on the CPU: `npm run test:vllm`, apart from `npm test`. Building and starting it takes minutes. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['*.conformance.ts'],
    globalSetup: ['./global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
