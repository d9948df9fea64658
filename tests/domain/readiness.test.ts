import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { checkReadiness } from '@/lib/platform/lifecycle/readiness';

const ready = { process: true, database: true, migrations: true, contentStore: true };

it('concurrent checks share one database query', async () => {
  // The owner's connection, separate from the checked pool.
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  let asked: ReturnType<typeof checkReadiness>[] = [];
  await owner.begin(async (tx) => {
    await tx`lock table drizzle.__drizzle_migrations in access exclusive mode`;
    asked = Array.from({ length: 20 }, () => checkReadiness());
    const waiting = () =>
      db().execute(sql`select 1 from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`);
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    expect(await waiting()).toHaveLength(1);
  });
  expect(await Promise.all(asked)).toEqual(asked.map(() => ready));
  await owner.end();
});
