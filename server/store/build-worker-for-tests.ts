import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Inside node_modules, so that the bundle finds its packages. */
const FOLDER = join(ROOT, 'node_modules/.cache/lm-warden-tests');

let built: Promise<URL> | null = null;

/** Bundles the database thread as the server's build does; once per test process. */
export function buildStoreWorker(): Promise<URL> {
  built ??= buildScript("import './worker.ts';", 'store-worker');
  return built;
}

/** Bundles TypeScript that imports from this folder, into a file of this process's own. */
export async function buildScript(contents: string, name: string): Promise<URL> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${name}-${process.pid}.mjs`);
  await build({
    stdin: { contents, resolveDir: join(ROOT, 'server/store'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return pathToFileURL(outfile);
}
