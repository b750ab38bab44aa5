import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A client installed into a folder of its own, or why it could not be. */
export type InstalledClient =
  | { readonly ok: true; readonly executable: string; readonly version: string; remove(): void }
  | { readonly ok: false; readonly reason: string };

/** Installs a public npm package into a temporary folder and finds its executable. */
export function installClient(packageName: string, bin: string): InstalledClient {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-client-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const fail = (reason: string): InstalledClient => {
    remove();
    return { ok: false, reason };
  };
  const install = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', packageName],
    {
      encoding: 'utf8',
      timeout: 240_000,
    },
  );
  if (install.status !== 0) return fail(`npm install ${packageName} failed: ${install.stderr.trim().slice(-500)}`);
  const executable = join(folder, 'node_modules', '.bin', bin);
  if (!existsSync(executable)) return fail(`${packageName} has no ${bin}`);
  const version = spawnSync(executable, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  if (version.status !== 0) return fail(`${bin} --version failed: ${version.stderr.trim().slice(-500)}`);
  return { ok: true, executable, version: version.stdout.trim(), remove };
}
