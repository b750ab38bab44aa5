// `npm start`: builds where there is no build yet, then becomes the server.
import { buildConsole, buildServer, isBuilt, root } from './build-steps.mjs';

if (!isBuilt()) {
  console.log('No build yet: building the console and the server (once).');
  await buildServer();
  await buildConsole();
}
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
await import(`${root}/dist/server.mjs`);
