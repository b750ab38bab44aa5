import { environmentVariables } from '#server/settings.ts';
import { configJsonSchema, configTable } from './config-reference.ts';
import { VARIABLE_DESCRIPTIONS } from './descriptions.ts';
import { licencePage, productionDependencies } from './licences.ts';

/** Files of the project that are made from its code, by their path from the root, as they are on the disk. */
export type Sources = { read(path: string): string };

const BEGIN = (name: string): string => `<!-- ${name}: made by npm run docs -->`;
const END = '<!-- end -->';

/** What `npm run docs` writes: path and text. */
export function generatedDocs({ read }: Sources): ReadonlyMap<string, string> {
  const page = 'docs/configuration.md';
  const withVariables = withSection(read(page), 'variables', environmentTable());
  return new Map([
    [page, withSection(withVariables, 'keys', configTable())],
    ['docs/warden.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    ['docs/licences.md', licencePage(productionDependencies(read('package-lock.json')))],
  ]);
}

function environmentTable(): string {
  const rows = environmentVariables({}).map(({ name, value }) => {
    const fallback = value === null ? '' : `\`${String(value)}\``;
    return `| \`${name}\` | ${fallback} | ${VARIABLE_DESCRIPTIONS[name] ?? ''} |`;
  });
  return ['| variable | default | |', '|---|---|---|', ...rows].join('\n');
}

/** Replaces what stands between the marks; what people wrote around them stays. */
function withSection(page: string, name: string, text: string): string {
  const from = page.indexOf(BEGIN(name));
  const to = page.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`docs/configuration.md has no place for ${name}: "${BEGIN(name)}"`);
  return `${page.slice(0, from)}${BEGIN(name)}\n\n${text}\n\n${page.slice(to)}`;
}
