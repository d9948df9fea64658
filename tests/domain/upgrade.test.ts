import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { migrateDatabase } from '@/db/migrate';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { verifyBooks } from '@/lib/wallet/verify-books';
import { openSecondDatabase } from '../setup/second-database';

const migrations = join(import.meta.dirname, '../../db/migrations');
const journal = z
  .looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) })
  .parse(JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')));
/** 0000_base, 0001_ledger, 0002_built_in_roles. */
const first = journal.entries.slice(0, 3);

let old: Awaited<ReturnType<typeof openSecondDatabase>>;
beforeAll(async () => {
  old = await openSecondDatabase({ isMigrated: false });
  const owner = postgres(old.ownerUrl, { max: 1, onnotice: () => undefined });
  await migrate(drizzle(owner), { migrationsFolder: firstMigrations() });
  // As a dump is restored: without the triggers that would refuse or repeat what the rows tell.
  await owner.unsafe('set session_replication_role = replica');
  await owner.unsafe(readFileSync(join(import.meta.dirname, '../setup/first-version.sql'), 'utf8'));
  await owner.end();
});
afterAll(() => old.close());

const folder = mkdtempSync(join(tmpdir(), 'linkmarket-first-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function firstMigrations(): string {
  mkdirSync(join(folder, 'meta'));
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries: first }));
  for (const { tag } of first) copyFileSync(join(migrations, `${tag}.sql`), join(folder, `${tag}.sql`));
  return folder;
}

async function holdings() {
  const balances = await old.owner`select owner, balance_cents from ledger.accounts where guarded order by owner`;
  const [counts] = await old.owner`select (select count(*)::int from users) as users,
    (select count(*)::int from orders) as orders, (select count(*)::int from sites) as sites,
    (select count(*)::int from audit_logs) as lines, (select count(*)::int from ledger.transfers) as transfers`;
  return { balances: [...balances], counts };
}

it('an installation of the first version is brought to this one with every cent, order and audit line', async () => {
  const before = await holdings();
  expect(before.counts).toEqual({ users: 15, orders: 29, sites: 31, lines: 64, transfers: 38 });

  await Promise.all([migrateDatabase(old.ownerUrl), migrateDatabase(old.ownerUrl)]);

  expect(await old.owner`select id from drizzle.__drizzle_migrations`).toHaveLength(journal.entries.length);
  expect(await holdings()).toEqual(before);
  await old.run(async () => {
    const books = await verifyBooks();
    expect(books.checks.filter(({ broken }) => broken > 0)).toEqual([]);
    expect(books.isSound).toBe(true);
    expect(await verifyAuditChain()).toMatchObject({ isSound: true, faults: [], waiting: 64 });
  });
});
