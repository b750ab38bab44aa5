import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({ url: z.string(), model: z.string(), affinity: z.boolean() });

/** What a model's affinity was before the command changed it, in a file: it survives the command's own death. */
export type RememberedAffinity = {
  /** Null where the last run ended in good order. */
  read(): boolean | null;
  write(affinity: boolean): void;
  forget(): void;
};

/** One file in `folder` for each model of each router. */
export function rememberedAffinity(folder: string, url: string, model: string): RememberedAffinity {
  const name = createHash('sha256').update(`${url} ${model}`).digest('hex').slice(0, 16);
  const file = join(folder, `lm-warden-bench-affinity-${name}.json`);
  return {
    read() {
      try {
        const known = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
        return known.url === url && known.model === model ? known.affinity : null;
      } catch {
        // No file, or one that was cut off while it was written: there is nothing to go by.
        return null;
      }
    },
    write(affinity) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify({ url, model, affinity }));
    },
    forget: () => rmSync(file, { force: true }),
  };
}
