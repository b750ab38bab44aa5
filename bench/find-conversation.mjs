// What it costs to find a conversation by its messages: `node bench/find-conversation.mjs [--json]`.
// Bodies of about 150 KB (a coding agent in the middle of its work), 10,000 remembered conversations.

import { build } from 'esbuild';

const CONVERSATIONS = 10_000;
const MEASURED = 2_000;
const TURNS = 32;
const TOOL_RESULT_BYTES = 3_000;

const bundle = await build({
  stdin: {
    contents: `
      export { createConversationIndex } from './lib/conversations/conversation-index.ts';
      export { readChain } from './lib/conversations/message-chain.ts';
      export { readMarks } from './lib/conversations/prompt-change.ts';
      export { scanTopLevel } from './lib/json/top-level.ts';
    `,
    resolveDir: new URL('..', import.meta.url).pathname,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { createConversationIndex, readChain, readMarks, scanTopLevel } = await import(
  `data:text/javascript;base64,${source}`
);

/** Code as a tool reads it: its line breaks and quotes are escapes in JSON. */
function code(seed, bytes) {
  let text = '';
  for (let line = 0; text.length < bytes; line += 1) {
    text += `  const value${seed}_${line} = read("${seed % 97}/file-${line}.ts", { encoding: "utf8" });\n`;
  }
  return text.slice(0, bytes);
}

function turnOf(conversation, turn) {
  const id = `toolu_${conversation}_${turn}`;
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Now I look at step ${turn} of task ${conversation}.` },
        { type: 'tool_use', id, name: 'Read', input: { file_path: `/src/module-${turn}.ts` } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: code(conversation * 100 + turn, TOOL_RESULT_BYTES) }],
    },
  ];
}

const TOOLS = Array.from({ length: 14 }, (_, index) => ({
  name: `Tool${index}`,
  description: code(index, 1_800),
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));
const SYSTEM = [
  { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.332.abc; cc_entrypoint=cli;' },
  { type: 'text', text: code(1, 7_000), cache_control: { type: 'ephemeral' } },
];

function bodyOf(conversation, turns) {
  const first = { role: 'user', content: [{ type: 'text', text: `Task ${conversation}: ${code(conversation, 600)}` }] };
  const rest = Array.from({ length: turns }, (_, turn) => turnOf(conversation, turn)).flat();
  const messages = [first, ...rest];
  return Buffer.from(JSON.stringify({ model: 'm', messages, system: SYSTEM, tools: TOOLS, stream: true }));
}

const WANTED = ['model', 'stream', 'messages', 'system', 'tools'];

function spansOf(body) {
  const { fields } = scanTopLevel(body, WANTED);
  return { messages: fields.get('messages'), system: fields.get('system'), tools: fields.get('tools') };
}

/** Microseconds of CPU of this process that `work` takes. */
function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

const index = createConversationIndex();
const memoryBefore = process.memoryUsage();
let now = 0;

function handle(body, step = (_name, work) => work()) {
  const spans = spansOf(body);
  now += 1;
  const chain = step('read', () => readChain(body, spans.messages, 'messages'));
  const marks = step('marks', () => readMarks(body, spans, 'messages', chain));
  const request = { scope: 'model\0client', chain, marks, now };
  const found = step('find', () => index.find(request));
  step('remember', () => index.remember(request, found.conversation));
  index.ended(found.conversation, true);
  return found;
}

// The remembered conversations are 12 to 32 turns long, 44 messages on average.
for (let conversation = 0; conversation < CONVERSATIONS; conversation += 1) {
  handle(bodyOf(conversation, 12 + (conversation % 20)));
}
globalThis.gc?.();
const memoryAfter = process.memoryUsage();
const remembered = index.size();

const steps = { read: [], marks: [], find: [], remember: [] };
const totals = [];
let continued = 0;
let bodyBytes = 0;
for (let request = 0; request < MEASURED; request += 1) {
  const conversation = CONVERSATIONS - 1 - ((request * 7) % 5_000);
  const body = bodyOf(conversation, TURNS + Math.floor((request * 7) / 5_000));
  bodyBytes += body.length / MEASURED;
  const before = performance.now();
  const found = handle(body, (name, work) => {
    const start = performance.now();
    const result = work();
    steps[name].push(performance.now() - start);
    return result;
  });
  totals.push(performance.now() - before);
  if (found.kind === 'continues') continued += 1;
}

const bodies = Array.from({ length: 200 }, (_, request) => bodyOf(request * 3 + 5_000, TURNS));
const cpuMs = cpuOf(() => bodies.forEach((body) => void handle(body))) / 1000 / bodies.length;
const strangers = Array.from({ length: 200 }, (_, request) => bodyOf(1_000_000 + request, TURNS));
const strangerMs = cpuOf(() => strangers.forEach((body) => void handle(body))) / 1000 / strangers.length;

const round = (value) => Math.round(value * 1000) / 1000;
const result = {
  conversations: remembered.conversations,
  links: remembered.links,
  link_bytes: remembered.bytes,
  heap_bytes_per_conversation: Math.round((memoryAfter.heapUsed - memoryBefore.heapUsed) / remembered.conversations),
  body_bytes: Math.round(bodyBytes),
  continued_percent: round((100 * continued) / MEASURED),
  cpu_ms_per_request: round(cpuMs),
  cpu_ms_per_unknown_request: round(strangerMs),
  total_p50_ms: round(percentile(totals, 0.5)),
  total_p99_ms: round(percentile(totals, 0.99)),
  steps_p50_ms: Object.fromEntries(
    Object.entries(steps).map(([name, values]) => [name, round(percentile(values, 0.5))]),
  ),
};
console.log(process.argv.includes('--json') ? JSON.stringify(result) : result);
