import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages stay outside the bundle: native modules and undici must be the ones in node_modules. */
const serverBundle = {
  absWorkingDir: root,
  entryPoints: {
    server: 'server/index.ts',
    commands: 'server/commands/main.ts',
    'store-worker': 'server/store/worker.ts',
    'fleet-worker': 'server/simulated-fleet/fleet-worker.ts',
  },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
};

export const buildServer = () => build(serverBundle);

/** Builds the server now and after each change of its sources; `onBuilt` is called after every build that worked. */
export async function watchServer(onBuilt) {
  const plugin = {
    name: 'on-built',
    setup: (built) => built.onEnd((result) => (result.errors.length === 0 ? onBuilt() : undefined)),
  };
  const watching = await context({ ...serverBundle, plugins: [plugin] });
  await watching.watch();
  return watching;
}

export const buildConsole = () => run('npx', ['next', 'build'], { NEXT_TELEMETRY_DISABLED: '1' });

export const isBuilt = () => existsSync(`${root}/dist/server.mjs`) && existsSync(`${root}/.next/BUILD_ID`);

/** Runs a command in the project's folder with its output shown; rejects where it fails. */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`)),
    );
  });
}
