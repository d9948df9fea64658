import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate -- --name=<name>` writes a migration for review. `drizzle-kit push` is not used. */
export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './db/schema/*.ts',
  out: './db/migrations',
});
