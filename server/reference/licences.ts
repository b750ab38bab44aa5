import { z } from 'zod';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});

/** A package that LM Warden runs with; `licence` null: it does not say. */
export type Dependency = { readonly name: string; readonly version: string; readonly licence: string | null };

/**
 * Licences that may stand beside Apache-2.0 in a work that is passed on. LGPL: libvips, which sharp loads as a library
 * of its own where Next finds it; LM Warden resizes no images. CC-BY: the browser data of caniuse-lite.
 */
export const COMPATIBLE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'Unlicense',
]);

/** What is installed for production, by the lock file; for all platforms. */
export function productionDependencies(lockText: string): readonly Dependency[] {
  const { packages } = lockFile.parse(JSON.parse(lockText));
  const found = Object.entries(packages).flatMap(([path, { version, license, dev }]): Dependency[] => {
    if (path === '' || dev === true) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [{ name, version: version ?? '', licence: license ?? null }];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

/** With `OR` one of them has to be compatible, with `AND` all. */
export function isCompatible(licence: string): boolean {
  const plain = licence.replace(/^\(|\)$/g, '');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isCompatible);
  return plain.split(' AND ').every((part) => COMPATIBLE.has(part));
}

/** The page that lists them, grouped by licence. */
export function licencePage(dependencies: readonly Dependency[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, version, licence } of dependencies) {
    const group = groups.get(licence ?? 'not stated') ?? [];
    group.push(`${name} ${version}`);
    groups.set(licence ?? 'not stated', group);
  }
  const sections = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => {
      return `## ${licence}\n\n${names.map((name) => `- ${name}`).join('\n')}`;
    });
  return `# Licences

LM Warden is under Apache-2.0. These packages are installed with it, on one platform or another; each is under a licence
that is compatible with it, and brings the text of its licence along. This page is made from the lock file by
\`npm run docs\`, and a test sees that it is up to date and that nothing incompatible has come in.

${sections.join('\n\n')}
`;
}
