import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

/** The bundle lies in `dist/`, one level below the project. */
const root = new URL('../', import.meta.url);

/** The entry of `lm-warden`. */
export async function main(args: readonly string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const code = await runCommand(args, {
    version,
    migrationsDir: fileURLToPath(new URL('drizzle/migrations', root)),
    env: process.env,
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
    start: async () => {
      // Set, so that React and Next run as built; an environment for development must not leak in.
      Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
      await import(new URL('dist/server.mjs', root).href);
    },
  });
  if (code !== null) process.exitCode = code;
}
