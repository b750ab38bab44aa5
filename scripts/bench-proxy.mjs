// `npm run bench:proxy`: builds the product and the benchmark, then runs it; `--streams`, `--tabs`,
// `--soak` and `--series` run the others; `npm run bench:fleet` is `--fleet`,
// `npm run bench:fleet-affinity` is `--fleet-affinity`.
import { build } from 'esbuild';
import { buildConsole, buildServer, isBuilt, root } from './build-steps.mjs';

const KINDS = {
  '--streams': 'streams',
  '--tabs': 'tabs',
  '--soak': 'soak',
  '--series': 'series',
  '--fleet': 'fleet-latency',
  '--fleet-affinity': 'fleet-affinity',
};
const kind = process.argv.find((argument) => argument in KINDS);

await buildServer();
if (!kind?.startsWith('--fleet') && !isBuilt()) await buildConsole();
const entries = ['engine', 'loop-delay', 'proxy', ...Object.values(KINDS)];
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entries.map((name) => [name, `bench/${name}.ts`])),
  outdir: 'dist/bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
process.chdir(root);
process.argv = process.argv.filter((argument) => argument !== kind);
await import(`${root}/dist/bench/${KINDS[kind] ?? 'proxy'}.mjs`);
