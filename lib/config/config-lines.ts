import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** Where a key stands in the file: its line, from 1, and the environment variables that its value is made of. */
export type ConfigPlace = { readonly line: number; readonly variables: readonly string[] };

/** Every key and list item of a configuration by its path (`limits.max_body_mb`, `models[0].replicas[1].url`). */
export function configLines(text: string): ReadonlyMap<string, ConfigPlace> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const places = new Map<string, ConfigPlace>();
  const add = (path: string, key: unknown, value: unknown): void => {
    const start = isRanged(key) ? key.range?.[0] : undefined;
    if (start !== undefined) places.set(path, { line: lines.linePos(start).line, variables: variablesIn(value) });
    walk(value, path);
  };
  const walk = (node: unknown, path: string): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (isScalar(key)) add(path === '' ? String(key.value) : `${path}.${String(key.value)}`, key, value);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) add(`${path}[${index}]`, item, item);
    }
  };
  walk(document.contents, '');
  return places;
}

function isRanged(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node;
}

function variablesIn(node: unknown): readonly string[] {
  if (!isScalar(node) || typeof node.value !== 'string') return [];
  return [...node.value.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap(([, name]) => name ?? []);
}
