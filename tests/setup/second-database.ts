import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { createDatabase } from './create-database';
import { runOnPool } from './run-on-pool';

/**
 * Another installation: a separate migrated database in its initial state. Inside `run`, the app's code uses this
 * database.
 * @param isMigrated false for a database without tables
 */
export async function openSecondDatabase({ isMigrated = true } = {}) {
  const { name: template, adminUrl, appUrl } = inject('template');
  const name = `test_${randomBytes(8).toString('hex')}_second`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await createDatabase(admin, name, isMigrated ? template : 'template0');
  const addressOf = (url: string) => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    return own.href;
  };
  const inside = (url: string) => postgres(addressOf(url), { max: 5, onnotice: () => undefined });
  const pool = inside(appUrl);
  const owner = inside(adminUrl);
  return {
    /** A connection with the rights of the tables' owner. */
    owner,
    ownerUrl: addressOf(adminUrl),
    run: <T>(work: () => Promise<T>): Promise<T> => runOnPool(pool, work),
    close: async () => {
      // With a timeout, because a test may have killed one of its connections.
      await Promise.all([pool.end({ timeout: 5 }), owner.end({ timeout: 5 })]);
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
