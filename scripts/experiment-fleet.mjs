// `npm run experiment:fleet`: what one turn costs a fleet in virtual time. Bundles bench/fleet.ts and runs it in a
// process of its own, as a million conversations need more memory than Node takes by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, run } from './build-steps.mjs';

const folder = mkdtempSync(join(root, 'node_modules/.fleet-'));
const outfile = join(folder, 'fleet.mjs');
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/fleet.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  await run(process.execPath, ['--max-old-space-size=6144', outfile, ...process.argv.slice(2)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
