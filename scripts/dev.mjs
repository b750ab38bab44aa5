// `npm run dev`: the server is built and started again when its sources change; Next reloads the console itself.
import { spawn } from 'node:child_process';
import { root, watchServer } from './build-steps.mjs';

let server = null;

function restart() {
  const start = () => {
    server = spawn(process.execPath, ['--enable-source-maps', 'dist/server.mjs'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1', WARDEN_DRAIN_SECONDS: '0' },
    });
  };
  if (server === null || server.exitCode !== null) return start();
  server.once('exit', start);
  server.kill('SIGTERM');
}

const watching = await watchServer(restart);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await watching.dispose();
    server?.removeAllListeners('exit');
    server?.kill('SIGTERM');
    process.exit(0);
  });
}
