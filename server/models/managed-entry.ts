import { z } from 'zod';
import { type ModelConfig, modelWithDefaults } from '#lib/config/schema.ts';
import type { ModelPatch, NewModel } from '#lib/contract/managed-models.ts';
import type { ManagedModelRow } from '#server/store/store.ts';

/** A model that was added in the console: what is kept of it, apart from its engine's key. Times are ms. */
export type ManagedEntry = {
  readonly name: string;
  readonly kept: KeptConfig;
  readonly apiKey: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** What is stored as JSON. Read again with defaults, so that a later version may add to it. */
const keptConfig = z.object({
  urls: z.array(z.string()).min(1),
  ranks: z.union([z.literal('auto'), z.int().min(1)]).default('auto'),
  served_model_name: z.string().nullable().default(null),
  aliases: z.array(z.string()).default([]),
  max_num_seqs: z.int().min(1).nullable().default(null),
  affinity: z.boolean().default(true),
  spill_threshold: z.union([z.literal('auto'), z.int().min(1)]).default('auto'),
  cache_fit: z.boolean().default(false),
});
export type KeptConfig = z.infer<typeof keptConfig>;

/** Null where the stored text cannot be read (it was written by hand, or by a later version). */
export function entryOf(row: ManagedModelRow): ManagedEntry | null {
  const kept = keptConfig.safeParse(jsonOf(row.config));
  if (!kept.success) return null;
  const { name, apiKey, createdAt, updatedAt } = row;
  return { name, kept: kept.data, apiKey, createdAt, updatedAt };
}

export function rowOf({ name, kept, apiKey, createdAt, updatedAt }: ManagedEntry): ManagedModelRow {
  return { name, config: JSON.stringify(kept), apiKey, createdAt, updatedAt };
}

/** `urls`: as they are kept. */
export function newEntry(model: NewModel, urls: readonly string[], now: number): ManagedEntry {
  const { name, api_key: apiKey, ...rest } = model;
  const kept = keptConfig.parse({ ...rest, urls });
  return { name, kept, apiKey: apiKey ?? null, createdAt: now, updatedAt: now };
}

/**
 * What a patch makes of an entry. Affinity, threshold and cache-fit are not changed here: they are settings, which the
 * routing card changes too.
 */
export function changedEntry(
  entry: ManagedEntry,
  patch: ModelPatch,
  urls: readonly string[],
  now: number,
): ManagedEntry {
  const { kept } = entry;
  return {
    ...entry,
    kept: {
      ...kept,
      urls: [...urls],
      ranks: patch.ranks ?? kept.ranks,
      served_model_name: patch.served_model_name === undefined ? kept.served_model_name : patch.served_model_name,
      aliases: patch.aliases ?? kept.aliases,
      max_num_seqs: patch.max_num_seqs === undefined ? kept.max_num_seqs : patch.max_num_seqs,
    },
    apiKey: patch.api_key === undefined ? entry.apiKey : patch.api_key,
    updatedAt: now,
  };
}

/** The entry as one of warden.yaml. */
export function configOf({ name, kept, apiKey }: ManagedEntry): ModelConfig {
  const { urls, ranks, served_model_name, aliases, max_num_seqs, affinity, spill_threshold, cache_fit } = kept;
  return modelWithDefaults({
    name,
    aliases,
    affinity,
    spill_threshold,
    cache_fit,
    replicas: urls.map((url) => ({ url, ranks })),
    ...(served_model_name === null ? {} : { served_model_name }),
    ...(max_num_seqs === null ? {} : { max_num_seqs }),
    ...(apiKey === null ? {} : { api_key: apiKey }),
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
