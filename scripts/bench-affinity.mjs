// `npm run bench:affinity`: measures affinity off and on against a running LM Warden. `--help` lists the options.
import { tmpdir } from 'node:os';
import { build } from 'esbuild';
import { root } from './build-steps.mjs';

await build({
  absWorkingDir: root,
  entryPoints: { 'bench-affinity': 'server/benchmark/command.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const { runCommand } = await import(`${root}/dist/bench-affinity.mjs`);
process.exit(await runCommand(process.argv.slice(2), tmpdir()));
