/** @type {import('next').NextConfig} */
const config = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Native modules and undici belong to the custom server; were a page ever to import one, it must not be bundled.
  serverExternalPackages: ['better-sqlite3', 'undici', 'pino'],
  // What the build made is what is served: an installation may be read-only, and nothing is to grow in it.
  experimental: { isrFlushToDisk: false },
};

export default config;
