import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const packed = z.array(z.object({ files: z.array(z.object({ path: z.string(), mode: z.number() })) })).length(1);

describe('the npm package', () => {
  let files: readonly { readonly path: string; readonly mode: number }[];
  beforeAll(() => {
    const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
    files = packed.parse(JSON.parse(out.toString()))[0]?.files ?? [];
  });

  it('has what the command needs that no build makes', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'scripts/lm-warden.mjs',
        'next.config.mjs',
        'public/favicon.svg',
        'drizzle/migrations/0000_first.sql',
        'drizzle/migrations/meta/_journal.json',
        'deploy/prometheus/alerts.yml',
        'docs/configuration.md',
        'LICENSE',
        'README.md',
      ]),
    );
    expect((files.find(({ path }) => path === 'scripts/lm-warden.mjs')?.mode ?? 0) & 0o111).not.toBe(0);
  });

  it('has no sources, tests, data or caches', () => {
    const strange = files.filter(({ path }) =>
      /[.](tsx?|map|db|log)$|[.]test[.]|^(server|lib|components|app|e2e|fixtures|data|node_modules|[.]next\/(cache|dev))\//.test(
        path,
      ),
    );
    expect(strange).toEqual([]);
  });
});
