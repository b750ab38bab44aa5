import { z } from 'zod';

const reply = z.union([z.record(z.string(), z.string()), z.array(z.string())]);

/** The fields of a hash, as `HGETALL` answers: a map in version 3 of the protocol, a list of names and values before. */
export function hashFields(answer: unknown): readonly (readonly [string, string])[] {
  const fields = reply.parse(answer);
  if (!Array.isArray(fields)) return Object.entries(fields);
  return fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ''] as const] : []));
}
