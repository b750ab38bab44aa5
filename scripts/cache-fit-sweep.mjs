// Looks for a setting in which cache-fit loses output against affinity: random boxes and loads, in virtual time.
//   node scripts/cache-fit-sweep.mjs --settings 200 --seed 1
// A setting that looks worse is run again with more seeds; the command fails where one stays more than 3 % behind.
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from './build-steps.mjs';

const { values } = parseArgs({
  options: {
    settings: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const MOST_LOST = 0.03;
const FIRST_SEEDS = '1';
const SECOND_SEEDS = '1,2,3,4,5,6';

const bundle = await build({
  absWorkingDir: root,
  entryPoints: { command: 'lib/experiment/command.ts', random: 'lib/simulation/random.ts' },
  bundle: true,
  write: false,
  outdir: 'out',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
const load = ({ contents }) => import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
const [{ runCommand }, { createRandom }] = await Promise.all(bundle.outputFiles.map(load));

const random = createRandom(Number(values.seed));
const between = (least, most) => Math.round(least + (most - least) * random());
/** Evenly over the orders of magnitude. */
const scaled = (least, most) => Math.round(least * (most / least) ** random());
const oneOf = (...all) => all[Math.floor(random() * all.length)];

function drawSetting() {
  const preset = oneOf('a4000x4', 'rtx5090x7');
  const replicas = oneOf(1, 2, 4, 4, 7);
  const kvTokens = scaled(20_000, 160_000);
  const turns = scaled(3, 30);
  const turnTokens = scaled(100, 1500);
  const outputTokens = scaled(40, 500);
  const systemTokens = scaled(500, Math.min(16_000, kvTokens / 6));
  const growth = Math.round(((turns - 1) / 2) * (turnTokens + outputTokens));
  const least = systemTokens + growth + 500;
  // The longest prompt has to fit a cache and the model, or the engine would refuse it.
  const longest = Math.min(kvTokens, preset === 'a4000x4' ? 32_768 : 131_072);
  const most = longest - 2 * growth - 2 * (outputTokens + turnTokens) - 1000;
  if (most <= least) return drawSetting();
  const context = scaled(least, most);
  const fits = (replicas * (kvTokens - systemTokens)) / Math.max(500, context - systemTokens);
  const sessions = Math.min(96, Math.max(1, Math.round(fits * (0.25 + 2.5 * random()))));
  const longestPause = oneOf(0, 0, 1, 5, 15, 30, 60, 120);
  return {
    preset,
    replicas: `${replicas}`,
    'kv-tokens': `${kvTokens}`,
    'max-num-seqs': `${oneOf(16, 32, 64)}`,
    'system-tokens': `${systemTokens}`,
    context: `${context}`,
    turns: `${turns}`,
    'turn-tokens': `${Math.max(1, Math.round(turnTokens / 2))}-${Math.round(1.5 * turnTokens)}`,
    'output-tokens': `${Math.max(1, Math.round(outputTokens / 2))}-${Math.round(1.5 * outputTokens)}`,
    think: `${oneOf(0, longestPause / 4)}-${longestPause}`,
    subagents: `${oneOf(0, 0, 0, between(1, 3))}`,
    steps: `${sessions}`,
  };
}

function compare(setting, seeds) {
  const options = { ...setting, policies: 'affinity,cache-fit', seconds: '600', seeds, json: true };
  const { rows } = JSON.parse(runCommand(options, []));
  const [affinity, cacheFit] = rows;
  const ratio = (column) => (affinity[column] ? cacheFit[column] / affinity[column] : null);
  return {
    output: ratio('output_tokens_per_minute') ?? 1,
    mean: ratio('ttfb_mean_seconds') ?? 1,
    p50: ratio('ttfb_p50_seconds') ?? 1,
    p95: ratio('ttfb_p95_seconds') ?? 1,
    affinityHits: affinity.prefix_hit_percent,
    cacheFitHits: cacheFit.prefix_hit_percent,
  };
}

const results = [];
for (let index = 0; index < Number(values.settings); index += 1) {
  const setting = drawSetting();
  let result = compare(setting, FIRST_SEEDS);
  const again = result.output < 1 - MOST_LOST;
  if (again) result = compare(setting, SECOND_SEEDS);
  results.push({ index, setting, ...result });
  if (again)
    console.error(`setting ${index}: output × ${result.output.toFixed(3)} after more seeds`, JSON.stringify(setting));
}

const quantile = (column, share) => {
  const sorted = results.map((result) => result[column]).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)].toFixed(3);
};
const lost = results.filter(({ output }) => output < 1 - MOST_LOST);
if (values.json) console.log(JSON.stringify(results, null, 2));
else {
  console.log(`${results.length} settings, cache-fit as a multiple of affinity`);
  console.log('                 least     5 %    half    95 %    most');
  for (const column of ['output', 'mean', 'p50', 'p95']) {
    const cells = [0, 0.05, 0.5, 0.95, 1].map((share) => quantile(column, share).padStart(7));
    console.log(`${column.padEnd(14)} ${cells.join(' ')}`);
  }
  console.log(`more than ${100 * MOST_LOST} % of output lost in ${lost.length}`);
}
process.exitCode = lost.length > 0 ? 1 : 0;
