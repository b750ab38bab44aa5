import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'server/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    setupFiles: ['scripts/seed-properties.ts', 'scripts/settle-between-tests.ts'],
    // Most of a test's time is waiting, and one worker leaves the other core idle (Vitest takes one of two cores).
    maxWorkers: 2,
    // Real sockets, files and worker threads: generous, so that a slow machine is not a failed test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
