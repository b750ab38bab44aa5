import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
