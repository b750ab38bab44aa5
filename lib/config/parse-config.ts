import { isMap, isScalar, LineCounter, type Node, type ParsedNode, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { configSchema, type WardenConfig } from './schema.ts';

/** One thing wrong with a configuration file; `line` counts from 1 and is null where no line can be named. */
export type ConfigProblem = { readonly line: number | null; readonly message: string };

export type ConfigResult =
  | { readonly ok: true; readonly config: WardenConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the text of `warden.yaml`. `${NAME}` in a value is replaced from `environment`; a name that is not set is a
 * problem, never an empty string. All problems are reported at once, each with its line.
 */
export function parseConfig(text: string, environment: Environment): ConfigResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      message: `not valid YAML: ${error.message}`,
    }));
    return { ok: false, problems };
  }
  const lineOf = (node: unknown): number | null => {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? null : lines.linePos(start).line;
  };
  const unset: ConfigProblem[] = [];
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') {
        node.value = substitute(node.value, environment, (name) =>
          unset.push({ line: lineOf(node), message: `\${${name}} is not set in the environment` }),
        );
      }
    },
  });
  if (unset.length > 0) return { ok: false, problems: unset };

  const parsed = configSchema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => issueProblems(issue, document.contents, lineOf));
    return { ok: false, problems };
  }
  const clashes = nameClashes(parsed.data, (path) => lineOf(document.getIn(path, true)));
  return clashes.length > 0 ? { ok: false, problems: clashes } : { ok: true, config: parsed.data };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}

function substitute(value: string, environment: Environment, onUnset: (name: string) => void): string {
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => {
    const replacement = environment[name];
    if (replacement === undefined) {
      onUnset(name);
      return whole;
    }
    return replacement;
  });
}

/** `models[0].replicas[1].url`, as people write paths. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function issueProblems(
  issue: z.core.$ZodIssue,
  root: ParsedNode | null,
  lineOf: (node: unknown) => number | null,
): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      line: lineOf(keyNode(root, [...issue.path, key])),
      message: `unknown key ${pathText([...issue.path, key])}`,
    }));
  }
  const message = `${pathText(issue.path) || 'the file'}: ${issue.message}`;
  for (let depth = issue.path.length; depth > 0; depth -= 1) {
    const line = lineOf(keyNode(root, issue.path.slice(0, depth)));
    if (line !== null) return [{ line, message }];
  }
  return [{ line: null, message }];
}

/** The node of a path's last key (a map's key, a list's item), so that the line is that of the name people wrote. */
function keyNode(root: ParsedNode | null, path: readonly PropertyKey[]): unknown {
  let node: unknown = root;
  let key: unknown = root;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === part);
      if (pair === undefined) return null;
      key = pair.key;
      node = pair.value;
    } else if (typeof part === 'number' && typeof node === 'object' && node !== null && 'items' in node) {
      node = Array.isArray(node.items) ? node.items[part] : null;
      key = node;
    } else {
      return null;
    }
  }
  return key;
}

function nameClashes(
  config: WardenConfig,
  lineOf: (path: readonly (string | number)[]) => number | null,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const owners = new Map<string, string>();
  const claim = (name: string, path: readonly (string | number)[], model: string): void => {
    const owner = owners.get(name);
    if (owner !== undefined) {
      problems.push({ line: lineOf(path), message: `${pathText(path)}: "${name}" is already taken by model ${owner}` });
    } else {
      owners.set(name, model);
    }
  };
  config.models.forEach((model, index) => {
    claim(model.name, ['models', index, 'name'], model.name);
  });
  config.models.forEach((model, index) => {
    model.aliases.forEach((alias, position) => {
      claim(alias, ['models', index, 'aliases', position], model.name);
    });
    const urls = new Set<string>();
    model.replicas.forEach((replica, position) => {
      if (urls.has(replica.url)) {
        const path = ['models', index, 'replicas', position, 'url'];
        problems.push({ line: lineOf(path), message: `${pathText(path)}: ${replica.url} is listed twice` });
      }
      urls.add(replica.url);
    });
  });
  return problems;
}
