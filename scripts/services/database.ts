import { startPostgres } from '@/scripts/postgres/start';
import type { Lifetime } from '@/scripts/process/lifetime';

export type DatabaseUrls = {
  /** The app's role. */
  DATABASE_URL: string;
  /** The owner of the tables: migrations and seeds. */
  MIGRATION_DATABASE_URL: string;
};

/** Opens the database of DATABASE_URL, by default the embedded server of the data directory. */
export async function openDatabase(lifetime: Lifetime, dataDir: string, durable = true): Promise<DatabaseUrls> {
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = process.env;
  if (DATABASE_URL) return { DATABASE_URL, MIGRATION_DATABASE_URL: MIGRATION_DATABASE_URL || DATABASE_URL };
  const server = await lifetime.own(startPostgres(dataDir, { durable }), (postgres) => postgres.stop());
  return { DATABASE_URL: server.appUrl, MIGRATION_DATABASE_URL: server.adminUrl };
}
