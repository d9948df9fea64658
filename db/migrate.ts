import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { advisoryLock } from './advisory-locks';
import { connect } from './open-pool';

/**
 * Applies the pending migrations of a database. Safe to call concurrently: callers wait for each other.
 * @param url a role that owns the schema, not the application's own role
 * @throws Error from PostgreSQL when a migration fails; that migration is rolled back whole
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = connect(url, { max: 1 });
  try {
    await client`select pg_advisory_lock(${advisoryLock('migration')})`;
    await migrate(drizzle(client), { migrationsFolder: join(import.meta.dirname, 'migrations') });
  } finally {
    await client.end({ timeout: 5 });
  }
}
