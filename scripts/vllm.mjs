// `npm run test:vllm`: the product against a real vLLM on the CPU. Takes arguments of vitest: `fidelity` runs that file.
import { run } from './build-steps.mjs';

await run('npx', [
  '--no-install',
  'vitest',
  'run',
  '--config',
  'conformance/vitest.config.ts',
  ...process.argv.slice(2),
]);
