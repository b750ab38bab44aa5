import { spawn } from 'node:child_process';

export type ClientRun = { readonly code: number | null; readonly output: string };

export type ClientOptions = {
  /** Its home and working folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
};

/** Runs a client in a clean environment; gives all that it printed. */
export function runClient(
  executable: string,
  args: readonly string[],
  { home, env, input = '' }: ClientOptions,
): Promise<ClientRun> {
  const child = spawn(executable, args, {
    cwd: home,
    env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
