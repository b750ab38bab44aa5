// Compares routing policies in virtual time: bundles lib/experiment and runs it. `--help` lists the options.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from './build-steps.mjs';

const bundle = await build({
  absWorkingDir: root,
  entryPoints: ['lib/experiment/command.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { OPTION_TYPES, USAGE, mistake, runCommand } = await import(`data:text/javascript;base64,${code}`);

const stop = (message) => {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
};

const parse = () => {
  try {
    return parseArgs({ options: OPTION_TYPES }).values;
  } catch (error) {
    return stop(error.message);
  }
};

const readTraces = (folder) => {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  } catch (error) {
    return stop(`--trace: ${error.message}`);
  }
};

const values = parse();
if (values.help) {
  console.log(USAGE);
} else {
  try {
    console.log(runCommand(values, values.trace === undefined ? [] : readTraces(values.trace)));
  } catch (error) {
    const message = mistake(error);
    if (message === null) throw error;
    stop(message);
  }
}
