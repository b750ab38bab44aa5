import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const configuration = fileURLToPath(new URL('../biome.json', import.meta.url));

const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

/** Plants one file with one import under the project's own Biome configuration, in a folder of its own. */
async function isRefused(place: string, imported: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-directions-'));
  try {
    const { vcs: _vcs, ...rest } = JSON.parse(readFileSync(configuration, 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...rest, $schema: undefined }));
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), `import { thing } from '${imported}';\n\nexport const used = thing;\n`);
    const running = promisify(execFile)(biome, ['lint', '--reporter=json', '.'], { cwd: folder });
    const { stdout } = await running.catch((error: { stdout: string }) => error);
    const { diagnostics } = report.parse(JSON.parse(stdout));
    return diagnostics.some((diagnostic) => diagnostic.category === 'lint/style/noRestrictedImports');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One planted violation for each row of ARCHITECTURE.md's table, and more where a row forbids several kinds. */
const FORBIDDEN = [
  ['lib/routing/planted.ts', '#lib/engine/types.ts'],
  ['lib/routing/planted.ts', 'node:crypto'],
  ['lib/routing/planted.ts', 'zod'],
  ['lib/series/planted.ts', '#server/store/store.ts'],
  ['lib/series/planted.ts', 'node:fs'],
  ['lib/engine/planted.ts', 'undici'],
  ['lib/format/planted.ts', 'react'],
  ['drizzle/schema.ts', '#lib/series/range.ts'],
  ['server/store/planted.ts', '#server/router/policy.ts'],
  ['server/engines/planted.ts', '#server/store/store.ts'],
  ['server/router/planted.ts', '#server/store/database.ts'],
  ['server/router/planted.ts', '#server/proxy/headers.ts'],
  ['server/proxy/planted.ts', '#server/store/requests.ts'],
  ['server/proxy/planted.ts', '#server/api/routes.ts'],
  ['server/api/planted.ts', '#server/proxy/forward.ts'],
  ['server/access/planted.ts', '#server/store/access.ts'],
  ['server/access/planted.ts', '#server/http/gate.ts'],
  ['server/http/planted.ts', '#server/router/registry.ts'],
  ['server/http/planted.ts', '#server/proxy/forward.ts'],
  ['server/benchmark/planted.ts', '#server/store/database.ts'],
  ['server/benchmark/planted.ts', '#server/proxy/forward.ts'],
  ['server/network/planted.ts', '#server/router/registry.ts'],
  ['server/models/planted.ts', '#server/store/database.ts'],
  ['server/fleet/planted.ts', '#server/router/registry.ts'],
  ['server/discovery/planted.ts', '#server/router/registry.ts'],
  ['server/figures/planted.ts', '#server/store/database.ts'],
  ['server/metrics/planted.ts', '#server/store/database.ts'],
  ['server/alerts/planted.ts', '#server/api/routes.ts'],
  ['server/tracing/planted.ts', '#server/proxy/forward.ts'],
  ['server/simulated-fleet/planted.ts', '#server/router/placement.ts'],
  ['components/models/planted.tsx', '#server/router/policy.ts'],
  ['components/models/planted.tsx', '#lib/routing/decide.ts'],
  ['components/models/planted.tsx', 'better-sqlite3'],
  ['app/planted.tsx', '#server/start.ts'],
  ['app/planted.tsx', '#lib/routing/router.ts'],
  ['e2e/planted.spec.ts', '#server/start.ts'],
  ['e2e/planted.spec.ts', '#lib/routing/router.ts'],
] as const;

const ALLOWED = [
  ['lib/engine/planted.ts', '#lib/routing/types.ts'],
  ['server/router/planted.ts', '#server/store/store.ts'],
  ['server/proxy/planted.ts', '#server/store/store.ts'],
  ['server/models/planted.ts', '#server/engines/probe-engine.ts'],
  ['server/api/planted.ts', '#server/router/registry.ts'],
  ['server/http/planted.ts', '#server/access/access.ts'],
  ['server/benchmark/planted.ts', '#server/router/policy.ts'],
  ['components/models/planted.tsx', '#lib/contract/models.ts'],
  ['e2e/planted.spec.ts', '#lib/contract/models.ts'],
] as const;

describe('import directions', () => {
  it.each(FORBIDDEN)('%s may not import %s', async (place, imported) => {
    expect(await isRefused(place, imported)).toBe(true);
  });

  it.each(ALLOWED)('%s may import %s', async (place, imported) => {
    expect(await isRefused(place, imported)).toBe(false);
  });
});
