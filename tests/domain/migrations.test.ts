import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '@/db/migrate';
import journal from '@/db/migrations/meta/_journal.json';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { checkMigrations } from '@/scripts/services/check-migrations';
import { createTempFolder } from '@/scripts/testing/temp-folder';
import { openSecondDatabase } from '@/tests/setup/second-database';

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

/** The baseline creates its tables empty. Later migrations run on tables of any size. */
const baseline = ['0000_base', '0001_ledger', '0002_custom'];
const migrationsFolder = join(import.meta.dirname, '../../db/migrations');
const readStatements = (tag: string) =>
  readFileSync(join(migrationsFolder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint');
const concurrent =
  /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \S+ validate constraint)\s/i;

describe('migrating a large installation', () => {
  it('reads and rewrites no existing table inside a transaction, which locks it against writes', async () => {
    const installed = await openSecondDatabase({ isMigrated: false });
    await installed.owner`create schema drizzle`;
    await installed.owner`create table drizzle.__drizzle_migrations (id int)`;
    const files = () => installed.owner<{ name: string; file: number }[]>`
      select oid::regclass::text as name, pg_relation_filenode(oid)::int as file from pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'ledger'::regnamespace)`;
    for (const { tag } of journal.entries) {
      const statements = readStatements(tag);
      if (baseline.includes(tag)) {
        for (const statement of statements) await installed.owner.unsafe(statement);
        continue;
      }
      if (statements[0]?.startsWith('-- no transaction')) {
        const texts = statements.map((statement) => statement.replace(/^--.*\n/gm, '').trim());
        expect(
          texts.filter((text) => !concurrent.test(text)),
          tag,
        ).toEqual([]);
        for (const text of texts) await installed.owner.unsafe(text);
        continue;
      }
      const before = await files();
      const read = await installed.owner.begin(async (tx) => {
        const scans = () => tx<{ name: string; scans: number }[]>`
          select relid::regclass::text as name, coalesce(seq_scan, 0)::int as scans from pg_stat_xact_user_tables`;
        const earlier = new Map((await scans()).map((one) => [one.name, one.scans]));
        for (const statement of statements) await tx.unsafe(statement);
        return (await scans()).filter(({ name, scans: later }) => later > (earlier.get(name) ?? 0));
      });
      const after = new Map((await files()).map(({ name, file }) => [name, file]));
      const rewritten = before.filter(({ name, file }) => after.has(name) && after.get(name) !== file);
      const isExisting = ({ name }: { name: string }) => before.some((one) => one.name === name);
      expect({ tag, read: read.filter(isExisting), rewritten }).toEqual({ tag, read: [], rewritten: [] });
    }
    await installed.close();
  });

  it('drops the invalid index of an interrupted run and builds it again', async () => {
    const installed = await openSecondDatabase();
    await installed.owner`create index later_idx on orders (id)`;
    await installed.owner`update pg_index set indisvalid = false where indexrelid = 'later_idx'::regclass`;
    const folder = withLater(
      '-- no transaction\ncreate index concurrently if not exists later_idx on orders (id) where id > 0;',
    );
    await migrateDatabase(installed.ownerUrl, folder);
    rmSync(folder, { recursive: true });
    expect(
      await installed.owner`select indisvalid, indpred is not null as is_partial from pg_index
        where indexrelid = 'later_idx'::regclass`,
    ).toEqual([{ indisvalid: true, is_partial: true }]);
    await installed.close();
  });
});

/** A folder with this version's migrations and a later one. */
function withLater(sql: string): string {
  const folder = createTempFolder('linkmarket-migrations-');
  cpSync(migrationsFolder, folder, { recursive: true });
  writeFileSync(join(folder, 'later.sql'), sql);
  const entries = [...journal.entries, { ...journal.entries[0], idx: all, when: lastWhen() + 1, tag: 'later' }];
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return folder;
}

it('rejects two roles whose names differ only in case', async () => {
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await expect(owner`insert into roles (name) values ('ADMIN')`).rejects.toThrow('roles_name_key');
  await owner.end();
});

function lastWhen(): number {
  return journal.entries.at(-1)?.when ?? 0;
}
