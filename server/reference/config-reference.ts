import { z } from 'zod';
import { configSchema } from '#lib/config/schema.ts';
import { KEY_DESCRIPTIONS } from './descriptions.ts';

type Schema = z.core.JSONSchema.BaseSchema;

export type ConfigKey = { readonly path: string; readonly values: string; readonly fallback: string };

/** `warden.yaml` as a JSON Schema, for editors that complete and check it. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  describe(schema, '');
  return { ...schema, title: 'LM Warden: warden.yaml' };
}

/** Every key of `warden.yaml`, in the order of the schema. */
export function configKeys(): readonly ConfigKey[] {
  return keysOf(z.toJSONSchema(configSchema, { io: 'input' }), '');
}

/** The keys as a table in Markdown. */
export function configTable(): string {
  const rows = configKeys().map(
    ({ path, values, fallback }) => `| \`${path}\` | ${values} | ${fallback} | ${KEY_DESCRIPTIONS[path] ?? ''} |`,
  );
  return ['| key | value | default | |', '|---|---|---|---|', ...rows].join('\n');
}

/** Visits each key of an object, of the entries of a list, and of each way in which a value may be written. */
function visit(schema: Schema, path: string, see: (path: string, schema: Schema) => void): void {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    if (typeof value === 'boolean') continue;
    const at = path === '' ? key : `${path}.${key}`;
    see(at, value);
    visit(value, at, see);
  }
  const { items } = schema;
  if (typeof items === 'object' && !Array.isArray(items)) visit(items, `${path}[]`, see);
  for (const way of schema.anyOf ?? []) if (typeof way === 'object') visit(way, path, see);
}

function describe(schema: Schema, path: string): void {
  visit(schema, path, (at, value) => {
    const description = KEY_DESCRIPTIONS[at];
    if (description !== undefined) value.description = description;
  });
}

function keysOf(schema: Schema, path: string): readonly ConfigKey[] {
  const keys = new Map<string, ConfigKey>();
  visit(schema, path, (at, value) => {
    if (!keys.has(at)) keys.set(at, { path: at, values: valuesText(value), fallback: fallbackText(value) });
  });
  return [...keys.values()];
}

function fallbackText({ default: value, type }: Schema): string {
  if (value === undefined || type === 'object') return '';
  return `\`${JSON.stringify(value)}\``;
}

function valuesText(schema: Schema): string {
  if (schema.anyOf !== undefined) {
    const ways = schema.anyOf.flatMap((way) => (typeof way === 'object' ? [valuesText(way)] : []));
    return [...new Set(ways)].join(' or ');
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numberText(schema);
    case 'array':
      return 'a list';
    case 'object':
      return 'a map';
    case 'boolean':
      return '`true` or `false`';
    default:
      return 'text';
  }
}

function numberText({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const from =
    minimum !== undefined ? ` from ${minimum}` : exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : '';
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : '';
  return kind + from + to;
}
