import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import compile from 'icu-minify/compile';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * A loader for Next: turns a file of messages into what use-intl's `format-only` puts together, so that no browser loads
 * the parser of the message format, nor parses. A message that is not well formed fails the build.
 */
// biome-ignore lint/style/noDefaultExport: loaders are found by it
export default async function compileMessagesLoader() {
  const done = this.async();
  try {
    const { source, files } = await compileMessages(this.resourcePath);
    for (const file of files) this.addDependency(file);
    done(null, source);
  } catch (error) {
    done(error);
  }
}

/** The compiled module of a file of messages, and the files that it was made of. */
export async function compileMessages(path) {
  const options = {
    entryPoints: [path],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
  };
  const { outputFiles, metafile } = await build(options);
  const bundled = Buffer.from(outputFiles[0].contents).toString('base64');
  const exported = Object.entries(await import(`data:text/javascript;base64,${bundled}`));
  return {
    source: exported.map(([name, tree]) => `export const ${name} = ${JSON.stringify(compiled(tree))};`).join('\n'),
    files: Object.keys(metafile.inputs).map((file) => root + file),
  };
}

const compiled = (tree) =>
  typeof tree === 'string'
    ? compile(tree)
    : Object.fromEntries(Object.entries(tree).map(([key, inner]) => [key, compiled(inner)]));
