import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

/** Attributes and properties whose words reach a reader. */
const SPOKEN = new Set(
  'alt aria-label aria-description caption confirm description header label meaning note placeholder summary text title unit what why word'.split(
    ' ',
  ),
);

/** Names, code and units: the same in every language. */
const NAMES = new Set(
  'LM Warden vLLM Claude Code Codex opencode OpenAI Anthropic SDK curl CSV PNG JSON KV GPU API URL TTFB Esc Space placed sticky spilled failed over client-pinned balanced unrouted ms p50 p95 p99'.split(
    ' ',
  ),
);

/** These hold code to copy, what a model is asked, a language's own name, or English for the log of the browser. */
const CODE = new Set([
  'components/connect/recipes.ts',
  'components/connect/send-turn.ts',
  'components/language/language.ts',
  'components/data/client.ts',
]);

type Node = { readonly type: string; readonly [key: string]: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The words in a source that a reader would see in English whatever their language. */
function literals(source: string): string[] {
  return [...inside(parseAst(source, { lang: 'tsx' }))]
    .filter((text) => (text.match(/[\p{L}\p{M}][\p{L}\p{M}\p{N}'’/-]+/gu) ?? []).some((word) => !NAMES.has(word)))
    .map((text) => text.trim());
}

/** A value that is shown: its own texts, and those of its branches. */
function* shown(node: unknown): Generator<string> {
  if (!isNode(node)) return;
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value;
  else if (node.type === 'TemplateLiteral') {
    yield quasis(node);
    yield* all(node.expressions, shown);
  } else if (node.type === 'ConditionalExpression') yield* all([node.consequent, node.alternate], shown);
  else if (node.type === 'LogicalExpression') yield* all([node.left, node.right], shown);
  else if (node.type === 'JSXExpressionContainer') yield* shown(node.expression);
  else yield* inside(node);
}

/** Anything else: its markup, its spoken properties, and whatever reads like a sentence. */
function* inside(node: unknown): Generator<string> {
  if (Array.isArray(node)) yield* all(node, inside);
  if (!isNode(node) || isSilent(node)) return;
  if (node.type === 'JSXText' && typeof node.value === 'string') yield node.value;
  else if (SPOKEN.has(nameOf(node))) yield* shown(node.value);
  else if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    yield* inside(node.openingElement);
    yield* all(node.children, shown);
  } else {
    const text = node.type === 'TemplateLiteral' ? quasis(node) : node.type === 'Literal' ? node.value : null;
    if (typeof text === 'string' && isSentence(text)) yield text;
    yield* all(Object.values(node), inside);
  }
}

function* all(nodes: unknown, each: (node: unknown) => Generator<string>): Generator<string> {
  if (Array.isArray(nodes)) for (const node of nodes) yield* each(node);
}

function quasis(node: Node): string {
  const parts = Array.isArray(node.quasis) ? node.quasis : [];
  return parts.map((quasi) => (isNode(quasi) ? String(Object(quasi.value).cooked ?? '') : '')).join('…');
}

/** What an attribute or a property is called; "" for anything else. */
function nameOf(node: Node): string {
  if (node.type !== 'JSXAttribute' && node.type !== 'Property') return '';
  const key = node.type === 'JSXAttribute' ? node.name : node.key;
  return isNode(key) ? String(key.name ?? key.value) : '';
}

/** Imports, directives, types, class names, selectors, and errors thrown for programmers. */
function isSilent(node: Node): boolean {
  if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression')
    return true;
  if (node.type === 'ImportDeclaration' || 'directive' in node) return true;
  if (node.type === 'JSXAttribute') return /className$/i.test(nameOf(node));
  const { callee } = node;
  if (!isNode(callee)) return false;
  const called = isNode(callee.property) ? callee.property.name : callee.name;
  return typeof called === 'string' && /^(clsx|Error|closest|matches|querySelector(All)?)$/.test(called);
}

/** Two words or more, none of which looks like a class name, a path or code. */
function isSentence(text: string): boolean {
  return /\p{L}{2,}[,:;.]? \p{L}/u.test(text) && !/[-[\]{}<>=_#]|\w[:/.]\w/.test(text);
}

describe('the words of the console', () => {
  it.each([
    ['const a = <p>Hello</p>;', ['Hello']],
    ['const a = <p>{busy ? "Wait" : t("done")}</p>;', ['Wait']],
    ['const a = <Card title="Homes" note={`${n} found`} />;', ['Homes', '… found']],
    ['const a = [{ id: "x", header: "Turns" }];', ['Turns']],
    ['function say(n: number) { return `in the last ${n} minutes`; }', ['in the last … minutes']],
    ['const a = <p className="flex grow">{t("x")} vLLM 0.27 <b title={t("y")}>·</b></p>;', []],
    ['const a = clsx("relative block", tall && "block grow");', []],
  ])('are found where they are literal: %s', (source, expected) => {
    expect(literals(source)).toEqual(expected);
  });

  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = ['app', 'components']
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.ts$|^components\/messages\//.test(file) && !CODE.has(file));

  it.each(files)('come from components/messages in %s', (file) => {
    expect(literals(readFileSync(root + file, 'utf8'))).toEqual([]);
  });
});
