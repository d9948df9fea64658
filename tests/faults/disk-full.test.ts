import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { like } from 'drizzle-orm';
import postgres from 'postgres';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { sites } from '@/db/schema/sites';
import { getWalletBalance } from '@/lib/ledger/balance';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { openInstallation, signIn } from '@/tests/setup/installation';

// The kernel limits the size of files that the app's process may write (prlimit, EFBIG). To the writing code this is a
// full disk, and it requires neither root nor a separate disk.

const installation = await openInstallation();
const { appUrl, dataDir } = installation;
// An own folder for temporary files, to check that none is left.
const temporary = join(dataDir, 'temporary');
mkdirSync(temporary);
const app = await installation.startApp({ TMPDIR: temporary });
const { openClient } = await import('@/tests/setup/http-client');
const { callAction, findAction } = await import('@/tests/setup/server-action');

const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', [`--pid=${app.pid}`, `--fsize=${bytes}:`], { stdio: 'pipe' });

/** The files in the app's store, including partial ones. */
function storedFiles(): string[] {
  const entries = readdirSync(join(dataDir, 'content'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
const spooled = () => readdirSync(temporary).filter((name) => name.startsWith('linkmarket-'));

afterEach(() => expectSoundBooks());

/** A buyer with funds for an order of 10.00, and the request that creates it. */
async function aBuyer() {
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 10_000);
  const siteIds = [await makeSite((await makeAccount({ role: 'Seller' })).userId, 1_000)];
  const input = { kind: 'custom', projectId: await makeProject(buyer), siteIds };
  const caller = await signIn(appUrl, 'user', buyer.email, testPassword);
  return {
    userId: buyer.userId,
    order: (key: string) => caller.post('/api/orders', input, { 'idempotency-key': key }),
  };
}

it('rejects a delivery on a full disk with a reason, and leaves nothing', async () => {
  const made = await (await aBuyer()).order('first');
  const [order] = z.object({ orders: z.array(z.object({ id: z.number() })) }).parse(JSON.parse(made.body)).orders;
  const admin = await signIn(appUrl, 'admin', (await makeAccount({ role: 'Admin' })).email, testPassword);
  const content = `/api/admin/orders/${order?.id}/content`;
  const file = (bytes: number) => new Blob([`${randomBytes(bytes / 2).toString('hex')}\n`]);

  expect((await admin.upload(content, 'first.txt', file(10_000))).status).toBe(201);
  const before = storedFiles();

  limitFiles(500_000);
  const refused = await admin.upload(content, 'second.txt', file(2_000_000));
  expect(refused.status).toBe(507);
  expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('no storage space left') });
  expect(storedFiles()).toEqual(before);
  expect(spooled()).toEqual([]);
  // Earlier deliveries are still available, and the rest of the app works.
  expect((await admin.get(`${content}/download`)).status).toBe(200);
  expect((await admin.upload(content, 'small.txt', file(10_000))).status).toBe(201);

  limitFiles('unlimited');
  expect((await admin.upload(content, 'second.txt', file(2_000_000))).status).toBe(201);
});

/** An admin, a file of 20,000 sites with this word, and a count of them. */
async function anImport(word: string) {
  const admin = await signIn(appUrl, 'admin', (await makeAccount({ role: 'Admin' })).email, testPassword);
  const rows = Array.from({ length: 20_000 }, (_, row) => `https://${word}${row}.example.com,${row % 90},35`);
  const file = new Blob([`url,dr,price\n${rows.join('\n')}\n`]);
  return {
    send: () => admin.upload('/api/guest-posts/upload', 'sites.csv', file),
    sites: () => db().$count(sites, like(sites.urlKey, `${word}%`)),
    rows: rows.length,
  };
}

it('rejects an import on a full disk with a reason, and leaves nothing', async () => {
  const { send, sites: there, rows } = await anImport('fulldisk');
  limitFiles(500_000);
  const refused = await send();
  expect(refused.status).toBe(507);
  expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('no storage space left') });
  expect(await there()).toBe(0);
  await expect.poll(spooled).toEqual([]);

  limitFiles('unlimited');
  expect(JSON.parse((await send()).body)).toMatchObject({ inserted: rows, duplicates: 0, skipped: 0 });
});

it('a backup on a full disk fails with a reason, and the next one succeeds', async () => {
  const admin = openClient();
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  const page = '/dashboard/features/backup';
  const id = await findAction(admin, page, 'createBackupAction');
  const newest = async () => (await db().select().from(backups)).sort((a, b) => b.id.localeCompare(a.id))[0];

  limitFiles(10_000);
  expect((await callAction(admin, page, id, { withFiles: true })).status).toBe(200);
  await expect.poll(async () => (await newest())?.status).toBe('failed');
  expect((await newest())?.error).toContain('not enough storage space');
  // The clean-up follows right after.
  await expect.poll(spooled).toEqual([]);

  limitFiles('unlimited');
  expect((await callAction(admin, page, id, { withFiles: true })).status).toBe(200);
  await expect.poll(async () => (await newest())?.status).toBe('complete');
});

/** Makes PostgreSQL return SQLSTATE 53100 for inserts into `table`. @returns a function that removes the error */
async function fillDatabase(table: string, when = ''): Promise<() => Promise<void>> {
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner.unsafe(`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger no_room before insert on ${table} for each row ${when} execute function no_room()`);
  return () => owner.unsafe('drop function no_room cascade').then(() => owner.end());
}

it("rejects an import with a reason when the database's disk fills up, and leaves nothing", {
  tags: ['full'],
}, async () => {
  const { send, sites: there, rows } = await anImport('fulldatabase');
  const removeError = await fillDatabase('public.sites', "when (new.url_key like 'fulldatabase15000.%')");
  try {
    const refused = await send();
    expect(refused.status).toBe(507);
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('no storage space left') });
    expect(await there()).toBe(0);
    await expect.poll(spooled).toEqual([]);
  } finally {
    await removeError();
  }
  expect(JSON.parse((await send()).body)).toMatchObject({ inserted: rows, duplicates: 0, skipped: 0 });
});

it("rejects an order when the database's disk is full, charges nothing, and accepts a retry", async () => {
  const { userId, order } = await aBuyer();
  const removeError = await fillDatabase('ledger.transfers');
  try {
    const refused = await order('once');
    expect(refused.status).toBe(507);
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringContaining('no storage space left') });
    expect(await getWalletBalance(userId)).toBe(10_000);
  } finally {
    await removeError();
  }
  expect((await order('once')).status).toBe(201);
  expect(await getWalletBalance(userId)).toBe(9_000);
});
