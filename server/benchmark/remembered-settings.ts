import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { BenchmarkSettings } from './model-under-test.ts';

/** `cache_fit` is missing in the file of an older version, which did not change it. */
const schema = z.object({
  url: z.string(),
  model: z.string(),
  affinity: z.boolean(),
  cache_fit: z.boolean().optional(),
});

/** What a model's settings were before the command changed them, in a file: it survives the command's own death. */
export type RememberedSettings = {
  /** Null where the last run ended in good order. */
  read(): BenchmarkSettings | null;
  write(settings: BenchmarkSettings): void;
  forget(): void;
};

/** One file in `folder` for each model of each router. */
export function rememberedSettings(folder: string, url: string, model: string): RememberedSettings {
  const name = createHash('sha256').update(`${url} ${model}`).digest('hex').slice(0, 16);
  const file = join(folder, `lm-warden-bench-affinity-${name}.json`);
  return {
    read() {
      try {
        const known = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
        if (known.url !== url || known.model !== model) return null;
        return { affinity: known.affinity, cacheFit: known.cache_fit ?? false };
      } catch {
        // No file, or one that was cut off while it was written: there is nothing to go by.
        return null;
      }
    },
    write({ affinity, cacheFit }) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify({ url, model, affinity, cache_fit: cacheFit }));
    },
    forget: () => rmSync(file, { force: true }),
  };
}
