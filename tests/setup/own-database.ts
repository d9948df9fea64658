import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, inject, vi } from 'vitest';
import { createDatabase } from './create-database';

// Creates a database for this test file, copied from the migrated template, before the file's own imports run.
const { name: template, adminUrl, appUrl } = inject('template');
const name = `test_${randomBytes(8).toString('hex')}`;

await asAdmin((sql) => createDatabase(sql, name, template));
process.env.DATABASE_URL = inDatabase(appUrl);
// For tests of restrictions that also apply to the owner of the tables.
process.env.MIGRATION_DATABASE_URL = inDatabase(adminUrl);
refuseOtherPools();

afterAll(async () => {
  vi.useRealTimers();
  const { closeDb } = await import('@/db/client');
  const { waitForWork } = await import('@/lib/platform/lifecycle/process-state');
  // Work that a verb left for after its response still uses the database. A test may hold such work back for good.
  await Promise.race([waitForWork(), setTimeout(5_000, undefined, { ref: false })]);
  await closeDb();
  await asAdmin((sql) => sql.unsafe(`drop database ${name} with (force)`));
});

/**
 * Keeps work that an earlier file of this process left, and that uses the modules and the address of that file, from
 * opening the pool that this file would then share (db/client.ts).
 */
function refuseOtherPools(): void {
  let pool: postgres.Sql | undefined;
  Object.defineProperty(globalThis, 'linkmarketSql', {
    configurable: true,
    enumerable: true,
    get: () => pool,
    set: (opened: postgres.Sql | undefined) => {
      if (opened && /^test_\w{16}$/.test(opened.options.database) && opened.options.database !== name)
        throw new Error(`The test file of the database ${opened.options.database} has ended.`);
      pool = opened;
    },
  });
}

function inDatabase(url: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function asAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
