// `npm run docs`: writes what the documentation has from the code. A test sees that it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './build-steps.mjs';

const outfile = `${root}/dist/docs.mjs`;
await build({
  absWorkingDir: root,
  entryPoints: ['server/reference/generated-docs.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const { generatedDocs } = await import(pathToFileURL(outfile).href);
for (const [path, text] of generatedDocs({ read: (file) => readFileSync(`${root}/${file}`, 'utf8') })) {
  writeFileSync(`${root}/${path}`, text);
  console.log(path);
}
