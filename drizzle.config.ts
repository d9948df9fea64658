import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate -- --name=<what>` writes a migration to be read by a person; databases are never pushed to. */
export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './db/schema/*.ts',
  out: './db/migrations',
});
