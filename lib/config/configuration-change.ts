import { differingFacts } from '../access/own-change.ts';
import type { ModelConfig, WardenConfig } from './schema.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * What differs between two configurations, by the path of each value; a model that came or went is one fact. Null where
 * nothing does. Of the keys of engines it says whether there is one and that it is another, never what it is.
 */
export function configurationChange(
  before: WardenConfig,
  after: WardenConfig,
): { readonly before: Facts; readonly after: Facts } | null {
  const keys = new Map(before.models.map((model) => [model.name, model.api_key]));
  const staying = new Set(after.models.map(({ name }) => name).filter((name) => keys.has(name)));
  const keyAfter = ({ name, api_key }: ModelConfig): string | null => {
    if (api_key === undefined) return null;
    const was = keys.get(name);
    return was === undefined || was === api_key ? 'set' : 'another one';
  };
  const keyBefore = ({ api_key }: ModelConfig): string | null => (api_key === undefined ? null : 'set');
  return differingFacts(factsOf(before, staying, keyBefore), factsOf(after, staying, keyAfter));
}

function factsOf(
  config: WardenConfig,
  staying: ReadonlySet<string>,
  key: (model: ModelConfig) => string | null,
): Facts {
  const { models, ...rest } = config;
  const facts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) facts[name] = value;
    else for (const [inner, part] of Object.entries(value)) facts[`${name}.${inner}`] = part;
  }
  for (const model of models) {
    const path = `models.${model.name}`;
    const shown = { ...model, api_key: key(model) };
    if (!staying.has(model.name)) facts[path] = shown;
    else for (const [field, value] of Object.entries(shown)) facts[`${path}.${field}`] = value;
  }
  return facts;
}
