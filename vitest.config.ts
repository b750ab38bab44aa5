import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'server/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    setupFiles: ['scripts/seed-properties.ts', 'scripts/settle-between-tests.ts'],
    // Most of a test's time is waiting: three keep two cores busy (Vitest alone would take one of two).
    maxWorkers: 3,
    // Real sockets, files and worker threads: generous, so that a slow machine is not a failed test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
