#!/usr/bin/env node
// The installed command, and `npm run doctor` in a checkout. What stands here has to run on old versions of Node too,
// so that they are told.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`LM Warden needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

const commands = new URL('../dist/commands.mjs', import.meta.url);
if (!existsSync(fileURLToPath(commands))) {
  // A checkout that was not built; what is installed is.
  const { buildServer } = await import('./build-steps.mjs');
  await buildServer();
}
const { main } = await import(commands.href);
await main(process.argv.slice(2));
