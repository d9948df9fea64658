import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` (scripts/db-generate.ts) uses it. `drizzle-kit push` is not used. */
export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './db/schema/*.ts',
  out: './db/migrations',
});
