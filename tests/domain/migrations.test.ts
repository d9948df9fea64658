import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '@/db/migrate';
import journal from '@/db/migrations/meta/_journal.json';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { checkMigrations } from '../../scripts/services/check-migrations';
import { openSecondDatabase } from '../setup/second-database';

const all = journal.entries.length;
let second: Awaited<ReturnType<typeof openSecondDatabase>>;
beforeAll(async () => {
  second = await openSecondDatabase({ isMigrated: false });
});
afterAll(() => second.close());

const applied = () => second.owner`select id from drizzle.__drizzle_migrations`;
/** The objects by kind that the migrations create, and the rows of every installation. */
const contents = async () => [
  ...(await second.owner`select relkind, count(*)::int from pg_class
    where relnamespace in ('public'::regnamespace, 'ledger'::regnamespace) group by relkind order by relkind`),
  ...(await second.owner`select (select count(*)::int from pg_proc
      where pronamespace in ('public'::regnamespace, 'ledger'::regnamespace, 'restoring'::regnamespace)) as functions,
    (select count(*)::int from pg_trigger where not tgisinternal) as triggers,
    (select array_agg(name order by name) from roles) as roles,
    (select count(*)::int from post_types) as types, (select count(*)::int from niches) as niches`),
];

describe('migrating', () => {
  it('an empty database from three concurrent processes applies each migration once', async () => {
    const url = second.ownerUrl;
    await expect(checkMigrations(url)).rejects.toThrow(`The database lacks ${all} of ${all} migrations.`);
    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    expect(await applied()).toHaveLength(all);
    const before = await contents();
    await migrateDatabase(url);
    expect(await contents()).toEqual(before);
    expect(before.at(-1)).toMatchObject({ roles: ['Admin', 'Seller', 'User'], types: 4, niches: 1 });
    await second.run(async () => expect(await verifyBooks()).toMatchObject({ isSound: true }));
  });

  it('is refused to a role that does not own the schema, and nothing changes', async () => {
    const before = await contents();
    await second.owner`delete from drizzle.__drizzle_migrations where created_at = ${lastWhen()}`;
    const url = new URL(second.ownerUrl);
    const app = new URL(process.env.DATABASE_URL ?? '');
    [url.username, url.password] = [app.username, app.password];
    await expect(migrateDatabase(url.href)).rejects.toThrow();
    expect(await contents()).toEqual(before);
    await second.owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${lastWhen()})`;
  });
});

describe('a server of this version', () => {
  it('rejects an outdated database and names the number of missing migrations', async () => {
    await second.owner`delete from drizzle.__drizzle_migrations where created_at = ${lastWhen()}`;
    await expect(checkMigrations(second.ownerUrl)).rejects.toThrow(`The database lacks 1 of ${all} migrations.`);
    await second.owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${lastWhen()})`;
    await checkMigrations(second.ownerUrl);
  });

  it('runs on a newer database, and migrating it changes nothing', async () => {
    await second.owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e15)`;
    await checkMigrations(second.ownerUrl);
    await migrateDatabase(second.ownerUrl);
    expect(await applied()).toHaveLength(all + 1);
  });
});

it('rejects two roles whose names differ only in case', async () => {
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await expect(owner`insert into roles (name) values ('ADMIN')`).rejects.toThrow('roles_name_key');
  await owner.end();
});

function lastWhen(): number {
  return journal.entries.at(-1)?.when ?? 0;
}
