import { defineConfig } from 'drizzle-kit';

/**
 * For `npx drizzle-kit generate --config drizzle/config.ts`. It cannot emit STRICT or WITHOUT ROWID: add both to every
 * generated table by hand before the migration is committed (server/store/migrations.test.ts checks).
 */
// biome-ignore lint/style/noDefaultExport: drizzle-kit reads the default export.
export default defineConfig({
  dialect: 'sqlite',
  schema: './drizzle/schema.ts',
  out: './drizzle/migrations',
});
