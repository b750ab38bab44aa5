import type { z } from 'zod';

export type Tag = 'models' | 'stats' | 'activity' | 'benchmarks' | 'settings' | 'access' | 'process';

/** A parameter of the query, or of the path. */
export type Parameter = { readonly name: string; readonly description: string; readonly schema: object };

/** What is told of a call of the console's API, beside what the table of routes has. */
export type Operation = {
  readonly tag: Tag;
  readonly summary: string;
  readonly query?: readonly Parameter[];
  readonly body?: z.ZodType;
  /** A schema of the contract. */
  readonly answer: z.ZodType;
};

const text = (name: string, description: string): Parameter => ({ name, description, schema: { type: 'string' } });
const oneOf = (name: string, description: string, options: readonly string[]): Parameter => ({
  name,
  description,
  schema: { type: 'string', enum: [...options] },
});
const whole = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'integer', minimum: 1 },
});
const count = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'integer', minimum: 0 },
});
const time = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'string', format: 'date-time' },
});
export const parameter = { text, oneOf, whole, count, time } as const;
