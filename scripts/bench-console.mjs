// `npm run bench:console`: builds the product where there is no build, then measures the console's interactions.
import { build } from 'esbuild';
import { buildConsole, buildServer, isBuilt, root } from './build-steps.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';

await buildServer();
if (!isBuilt()) await buildConsole();
await build({
  absWorkingDir: root,
  entryPoints: { console: 'bench/console.ts' },
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
process.env.WARDEN_TEST_BROWSER = findOrInstallBrowser();
await import(`${root}/dist/bench/console.mjs`);
