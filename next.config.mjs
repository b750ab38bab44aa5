/** @type {import('next').NextConfig} */
const config = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Native modules and undici belong to the custom server; were a page ever to import one, it must not be bundled.
  serverExternalPackages: ['better-sqlite3', 'undici', 'pino'],
  // What the build made is what is served: an installation may be read-only, and nothing is to grow in it.
  experimental: { isrFlushToDisk: false },
  turbopack: {
    rules: {
      '*.ts': {
        condition: { path: /components\/messages\/(en|hi)\/[a-z]+\.ts$/ },
        loaders: ['./scripts/compile-messages.mjs'],
        as: '*.js',
      },
    },
    // A path: as the name of an export of the package, Turbopack would put both of them into the bundle.
    resolveAlias: {
      'use-intl/format-message': './node_modules/use-intl/dist/esm/production/format-message/format-only.js',
    },
  },
};

export default config;
