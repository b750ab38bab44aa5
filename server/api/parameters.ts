import { ProblemError } from '#server/http/respond.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ApiCall } from './handlers.ts';

/** The model of the path. */
export function modelOf({ context, params }: ApiCall): ModelRuntime {
  const model = context.registry.named(params.name ?? '');
  if (model !== null) return model;
  const names = context.registry.models().map(({ name }) => name);
  throw new ProblemError(
    404,
    'No such model',
    `There is no model "${params.name}"; there is ${names.join(', ') || 'none yet'}.`,
  );
}

/** The `model` query parameter: null for all; a name that is not served is refused. */
export function modelFilter({ context, query }: ApiCall): string | null {
  const name = query.get('model');
  if (name === null || name === '') return null;
  if (context.registry.named(name) !== null) return name;
  throw new ProblemError(404, 'No such model', `There is no model "${name}".`, 'model');
}

/** The `limit` query parameter. */
export function limitOf({ query }: ApiCall, fallback: number, most: number): number {
  const text = query.get('limit');
  if (text === null) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new ProblemError(400, 'Invalid request', `limit must be a whole number from 1 to ${most}.`, 'limit');
}
