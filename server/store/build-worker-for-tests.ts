import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
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

/** Bundles TypeScript that imports from this folder, into a file named by what is in it. */
export async function buildScript(contents: string, name: string): Promise<URL> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(ROOT, 'server/store'), loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const file = join(FOLDER, `${name}-${hash}.mjs`);
  if (!existsSync(file)) writeAtOnce(file, text);
  return pathToFileURL(file);
}

/** Another test process may be about to load the same file. */
function writeAtOnce(file: string, text: string): void {
  mkdirSync(FOLDER, { recursive: true });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}
