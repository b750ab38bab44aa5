// `npm run test:clients`: real coding agents against the built product. Downloads them into temporary folders.
import { buildConsole, buildServer, isBuilt, run } from './build-steps.mjs';

await buildServer();
if (!isBuilt()) await buildConsole();
await run('npx', [
  '--no-install',
  'vitest',
  'run',
  '--config',
  'e2e/clients/vitest.config.ts',
  ...process.argv.slice(2),
]);
