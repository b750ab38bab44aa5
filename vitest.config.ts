import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'server/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Real sockets, files and worker threads: generous, so that a slow machine is not a failed test.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
