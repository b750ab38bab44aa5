// Builds what `npm start` runs: the console with Next, the server and its worker threads with esbuild.
import { buildConsole, buildServer } from './build-steps.mjs';

await buildServer();
await buildConsole();
