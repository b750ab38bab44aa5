// `npm run experiment:fidelity`: how true the simulator is. (a) One request script on a real vLLM on the CPU and on the
// simulator: cached tokens block for block, order of completion, counters. It installs vLLM into a temporary folder;
// `--skip-vllm` leaves it out. (b) The reference load in virtual time, its deviation from the reference measurement.
import { run } from './build-steps.mjs';

const seeds = Array.from({ length: 10 }, (_, index) => index + 1).join(',');

await run('node', ['scripts/experiment.mjs', '--policies', 'off', '--seconds', '180', '--seeds', seeds, '--deviation']);
if (!process.argv.includes('--skip-vllm')) await run('node', ['scripts/vllm.mjs', 'fidelity']);
