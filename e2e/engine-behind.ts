import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltWarden } from './built-warden.ts';
import { routing } from './model-page.ts';

/** The address of the simulated vLLM that a demo carries: an engine for another router, which outlives that one. */
export async function engineOf(demo: BuiltWarden): Promise<string> {
  const [replica] = (await routing(demo)).replicas;
  if (replica === undefined) throw new Error('the demo has no replica');
  return replica.url;
}

/** An address on this machine where nobody listens. */
export function deadAddress(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no TCP port'));
      server.close(() => resolve(`http://127.0.0.1:${address.port}`));
    });
  });
}

export type ConfigFile = {
  readonly path: string;
  /** Puts other text in its place at once, as an editor that saves does. */
  write(text: string): void;
  remove(): void;
};

/** A `warden.yaml` in a folder of its own. */
export function configFile(text: string): ConfigFile {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-e2e-'));
  const path = join(folder, 'warden.yaml');
  const write = (content: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  };
  write(text);
  return { path, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
