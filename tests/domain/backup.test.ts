import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { backups } from '@/db/schema/backups';
import { mails } from '@/db/schema/mails';
import { orderContents } from '@/db/schema/orders';
import { topups } from '@/db/schema/topups';
import { sessions, users } from '@/db/schema/users';
import { sealAuditLogs } from '@/lib/audit/seal';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import type { Actor } from '@/lib/auth/actor';
import { beginBackup } from '@/lib/backup/begin';
import { checkBackup } from '@/lib/backup/check';
import { deleteBackup } from '@/lib/backup/delete';
import { openBackup } from '@/lib/backup/open';
import { listBackups } from '@/lib/backup/queries';
import { receiveBackup } from '@/lib/backup/receive';
import { restoreBackup } from '@/lib/backup/restore';
import { runBackup } from '@/lib/backup/run';
import { sumOfTable } from '@/lib/backup/table-sum';
import { bookTables, fixTextForms, listBackupTables } from '@/lib/backup/tables';
import { attachContent } from '@/lib/content/attach';
import { openContent } from '@/lib/content/open';
import { contentStore } from '@/lib/content/store';
import { newId } from '@/lib/ids';
import { updateOrder } from '@/lib/orders/update';
import { readCatalogueVersion } from '@/lib/sites/catalogue-version';
import { fundWallet } from '../factories/fund-wallet';
import { makeOrder } from '../factories/make-order';
import { makeSite } from '../factories/make-site';
import { makeStaff } from '../factories/make-staff';
import { makeTopup } from '../factories/make-topup';
import { makeUser } from '../factories/make-user';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { openSecondDatabase } from '../setup/second-database';

// A folder of its own for temporary files, to see that none is left.
const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-backup-test-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

let admin: Actor;
const opened: (() => Promise<void>)[] = [];
beforeEach(async () => {
  admin = await makeUser('Admin');
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  expect(readdirSync(temporary)).toEqual([]);
});

async function second() {
  const database = await openSecondDatabase();
  opened.push(database.close);
  return database;
}

/** Makes a backup as the screen does. @returns its id */
async function makeBackup(actor = admin, withFiles = true): Promise<string> {
  const { id } = await beginBackup(actor, { withFiles });
  await runBackup(id);
  const [row] = await db().select().from(backups).where(eq(backups.id, id));
  expect(row).toMatchObject({ status: 'complete', progress: 100, error: null });
  return id;
}

const archiveOf = async (id: string) => buffer((await openBackup(admin, id)).stream);
const upload = (actor: Actor, bytes: Buffer) => receiveBackup(actor, Readable.from([bytes]), 'copy.tar.gz');

/** Everything an archive holds, as sums by table. */
async function everything(except: string[] = []) {
  return db().transaction(
    async (tx) => {
      await fixTextForms(tx);
      const sums: Record<string, unknown> = {};
      for (const table of await listBackupTables(tx)) {
        if (!except.includes(table.name)) sums[table.name] = await sumOfTable(tx, table);
      }
      return sums;
    },
    { isolationLevel: 'repeatable read' },
  );
}

/** A little of everything, with words that are hard to copy. */
async function makeHistory() {
  const { id: orderId, buyer } = await makeOrder(12_345, 5_000);
  await attachContent(admin, orderId, Readable.from([Buffer.from('delivered words')]), 'article.txt');
  await updateOrder(admin, orderId, {
    status: 'Live',
    linkUrl: 'https://live.example.com/a',
    adminComments: 'a\tb\\N\n"ü👩‍👧',
  });
  const { id: refunded } = await makeOrder(700);
  await updateOrder(admin, refunded, { status: 'Refunded' });
  await db().insert(sessions).values({ id: newId(), userId: buyer.userId, expiresAt: sql`now() + interval '1 day'` });
  return { orderId, buyer };
}

/** Somebody stands at the provider's checkout. */
async function beginTopup(userId: string, status: 'created' | 'pending') {
  const providerReference = status === 'pending' ? `cs_${newId()}` : null;
  await makeTopup({ userId }, { mode: 'sandbox', amountCents: 2_500, providerReference, status });
}

describe('a backup', () => {
  it('restores into a fresh installation: every table, the books, the audit log and the files', async () => {
    const { orderId } = await makeHistory();
    await db().execute(sql`update mails set sent_at = now()`);
    const id = await makeBackup();
    const archive = await archiveOf(id);
    const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
    await contentStore().delete(content?.storageKey ?? '');

    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      await sealAuditLogs();
      const { id: uploaded } = await upload(owner, archive);
      const report = await checkBackup(owner, { id: uploaded });
      expect(report).toMatchObject({ refusal: null, books: 'replace', files: 1, missingFiles: 0 });
      expect(report.changes).toContainEqual(expect.objectContaining({ name: 'public.orders', rowsNow: 0 }));

      await restoreBackup(owner, { id: uploaded });
      await expectSoundBooks();
      // Whoever restored keeps their account, and the lines about it follow the archive's.
      const restored = await everything(bookTables.slice(2).concat('public.users'));
      expect(restored).toEqual(await partsOf(uploaded, bookTables.slice(2).concat('public.users')));
      const known = await db().select().from(users).where(eq(users.id, owner.userId));
      expect(known).toMatchObject([{ role: 'Admin', status: 'Active' }]);
      expect(await db().select().from(sessions)).toEqual([]);
      await sealAuditLogs();
      expect(await verifyAuditChain()).toMatchObject({ isSound: true, waiting: 0 });
      const [newest] = await db().select().from(auditLogs).orderBy(sql`id desc`).limit(1);
      expect(newest).toMatchObject({ action: 'backup.restored', user: owner.email });
      expect((await buffer((await openContent(orderId)).stream)).toString()).toBe('delivered words');

      // Life goes on: numbers continue, money moves.
      const next = await makeOrder(900);
      expect(next.id).toBeGreaterThan(orderId);
      await expectSoundBooks();
    });
  });

  it('of an owner who is in it restores every table to the last byte', async () => {
    await makeHistory();
    await db().execute(sql`update mails set sent_at = now() where sent_at is null`);
    const archive = await archiveOf(await makeBackup());
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin', { email: admin.email });
      const { id } = await upload(owner, archive);
      await restoreBackup(owner, { id });
      const restored = await everything(bookTables.slice(2));
      expect(restored).toEqual(await partsOf(id, bookTables.slice(2)));
      expect(await db().select().from(users).where(eq(users.email, admin.email))).toMatchObject([{ id: admin.userId }]);
    });
  });

  it('restores in place what was lost, as long as no money has moved, and changes the catalogue’s version', async () => {
    const site = await makeSite((await makeUser('Seller')).userId, 5_000);
    const id = await makeBackup();
    const version = await readCatalogueVersion();
    const linesBefore = await db().$count(auditLogs);
    await db().execute(sql`delete from sites where id = ${site}`);
    const late = await makeUser('User');
    const report = await checkBackup(admin, { id });
    expect(report).toMatchObject({ refusal: null, books: 'keep' });
    expect(report.changes.map(({ name }) => name).sort()).toEqual(['public.sites', 'public.users']);

    await restoreBackup(admin, { id });
    expect(await db().execute(sql`select id from sites where id = ${site}`)).toHaveLength(1);
    expect(await db().select().from(users).where(eq(users.id, late.userId))).toEqual([]);
    expect(await readCatalogueVersion()).not.toBe(version);
    // The audit log keeps what happened since.
    expect(await db().$count(auditLogs)).toBeGreaterThan(linesBefore);
    await sealAuditLogs();
    expect(await verifyAuditChain()).toMatchObject({ isSound: true });
    await expectSoundBooks();
  });

  it('is refused once money has moved, and in an installation with books of its own', async () => {
    const id = await makeBackup();
    await fundWallet((await makeUser()).userId, 100);
    expect(await checkBackup(admin, { id })).toMatchObject({ refusal: expect.stringContaining('Money has moved') });
    const before = await everything();
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await everything()).toEqual(before);

    const archive = await archiveOf(id);
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      await fundWallet(owner.userId, 100);
      const { id: uploaded } = await upload(owner, archive);
      expect(await checkBackup(owner, { id: uploaded })).toMatchObject({
        refusal: expect.stringContaining('books of its own'),
      });
      await expect(restoreBackup(owner, { id: uploaded })).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  it('is refused once somebody began to add money, who would otherwise pay for nothing', async () => {
    const id = await makeBackup();
    const buyer = await makeUser();
    await beginTopup(buyer.userId, 'pending');
    expect(await checkBackup(admin, { id })).toMatchObject({ refusal: expect.stringContaining('began to add money') });
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await db().select().from(topups).where(eq(topups.userId, buyer.userId))).toMatchObject([
      { status: 'pending' },
    ]);
    // One that the archive has comes back with it.
    await restoreBackup(admin, { id: await makeBackup() });

    const archive = await archiveOf(await makeBackup());
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      const { id: uploaded } = await upload(owner, archive);
      await beginTopup(owner.userId, 'created');
      await expect(restoreBackup(owner, { id: uploaded })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('adding money'),
      });
      await db().update(topups).set({ status: 'expired' });
      await restoreBackup(owner, { id: uploaded });
    });
  });

  it('asks again who restores once the archive is read, and lets two at once come one after the other', async () => {
    const id = await makeBackup();
    const fallen = await makeUser('Admin');
    await db().update(users).set({ role: 'User' }).where(eq(users.id, fallen.userId));
    await expect(restoreBackup(fallen, { id })).rejects.toMatchObject({ code: 'forbidden' });
    const newest = await makeBackup();
    const results = await Promise.allSettled([
      restoreBackup(admin, { id: newest }),
      restoreBackup(admin, { id: newest }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await db().select().from(users).where(eq(users.id, fallen.userId))).toMatchObject([{ role: 'User' }]);
    await expectSoundBooks();
  });

  it('locks nobody out who restores it', async () => {
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, admin.userId));
    const id = await makeBackup();
    await db().update(users).set({ status: 'Active' }).where(eq(users.id, admin.userId));
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is Suspended'),
    });
    expect(await db().select().from(users).where(eq(users.id, admin.userId))).toMatchObject([{ status: 'Active' }]);
  });

  it('of staff leaves whoever has more rights as they are', async () => {
    const staff = await makeStaff('ManageSettings');
    const other = await makeUser('Admin');
    const id = await makeBackup();
    for (const change of [
      { passwordHash: 'a new one' },
      { email: `${newId()}@example.com` },
      { totpSecret: 'sealed', totpEnabledAt: new Date() },
    ]) {
      await db().update(users).set(change).where(eq(users.id, other.userId));
      await expect(restoreBackup(staff, { id })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('who has more rights than you'),
      });
      expect(await db().select().from(users).where(eq(users.id, other.userId))).toMatchObject([change]);
      await restoreBackup(admin, { id });
    }
    // An admin who came later would be gone.
    const late = await makeUser('Admin');
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await db().update(users).set({ role: 'User' }).where(eq(users.id, late.userId));
    await restoreBackup(staff, { id });
  });

  it('never makes anybody more than who restores it', async () => {
    const staff = await makeStaff('ManageSettings');
    const fallen = await makeUser('Admin');
    const id = await makeBackup();
    await db().update(users).set({ role: 'User' }).where(eq(users.id, fallen.userId));
    const before = await everything();
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(fallen.email),
    });
    expect(await everything()).toEqual(before);
    // What the actor may give is given, and an admin may give all.
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, fallen.userId));
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await restoreBackup(admin, { id });
    expect(await db().select().from(users).where(eq(users.id, fallen.userId))).toMatchObject([{ role: 'Admin' }]);
    await restoreBackup(staff, { id: await makeBackup() });
  });

  it('gives up the mails that waited in it', async () => {
    await db()
      .insert(mails)
      .values({ id: newId(), kind: 'test', recipient: 'a@example.com', subject: 'Waits', html: 'x', text: 'x' });
    const id = await makeBackup();
    await db().execute(sql`update mails set sent_at = now() where sent_at is null`);
    await restoreBackup(admin, { id });
    const waiting = await db().execute(sql`select id from mails where sent_at is null and failed_at is null`);
    expect(waiting).toHaveLength(0);
  });
});

describe('an archive', () => {
  it('that was changed, cut short, or signed with another key is refused, and nothing is kept of it', async () => {
    await makeHistory();
    const archive = await archiveOf(await makeBackup());
    const tar = gunzipSync(archive);
    const listed = await db().$count(backups);
    const at = tar.indexOf('https://live.example.com/a');
    expect(at).toBeGreaterThan(0);
    const forged = Buffer.from(tar);
    forged.write('https://evil.example.com/a', at);
    const resigned = Buffer.from(tar);
    const manifestAt = resigned.indexOf('"madeBy": "http://localhost:3000"');
    resigned.write('"madeBy": "http://localhost:3001"', manifestAt);
    for (const bytes of [
      gzipSync(forged),
      gzipSync(resigned),
      archive.subarray(0, archive.length - 300),
      gzipSync(tar.subarray(0, tar.length / 2)),
      gzipSync(Buffer.from('no archive at all')),
      Buffer.from('not even compressed'),
    ]) {
      await expect(upload(admin, bytes)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(await db().$count(backups)).toBe(listed);
  });

  it('of another version is kept, and refused with what to do first, in a fresh installation too', async () => {
    await makeHistory();
    const archive = await archiveOf(await makeBackup());
    const versions = [
      // This installation is a migration ahead of the archive, has one less, and has as many of another kind.
      ["insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e15)", 'Restore it into a fresh'],
      [
        'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
        'Update this installation first',
      ],
      [
        "update drizzle.__drizzle_migrations set hash = 'other' where created_at = (select max(created_at) from drizzle.__drizzle_migrations)",
        'another edition',
      ],
    ] as const;
    for (const [change, advice] of versions) {
      const there = await second();
      await there.owner.unsafe(change);
      await there.run(async () => {
        const owner = await makeUser('Admin');
        const { id } = await upload(owner, archive);
        const before = await everything();
        expect(await checkBackup(owner, { id })).toMatchObject({
          refusal: expect.stringContaining(advice),
          books: null,
          changes: [],
        });
        const refused = { code: 'conflict', message: expect.stringContaining(advice) };
        await expect(restoreBackup(owner, { id })).rejects.toMatchObject(refused);
        expect(await everything()).toEqual(before);
      });
    }
  });

  it('that a later version laid out otherwise is told as that, before it is read', async () => {
    const tar = gunzipSync(await archiveOf(await makeBackup()));
    const at = tar.indexOf('"formatVersion": 1');
    const later = Buffer.from(tar);
    later.write('"formatVersion": 2', at);
    await expect(upload(admin, gzipSync(later))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('newer version'),
    });
    const none = Buffer.from(tar);
    none.write('"formatVersion": x', at);
    await expect(upload(admin, gzipSync(none))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('no backup'),
    });
  });

  it('that is damaged in the store changes nothing', async () => {
    const id = await makeBackup();
    const path = join(process.env.DATA_DIR ?? '', 'content', 'backups', id);
    const bytes = await readFile(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(bytes.length / 2)]));
    const before = await everything();
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await everything()).toEqual(before);
  });

  it('whose restoring is killed in the middle changes nothing', async () => {
    await makeHistory();
    const archive = await archiveOf(await makeBackup());
    const there = await second();
    await there.run(async () => {
      const actor = await makeUser('Admin');
      const { id } = await upload(actor, archive);
      // Holds the restore after it emptied the tables, while it fills them.
      await there.owner.unsafe(`
        create function public.wait_at_the_gate() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock_shared(4712); return new; end $$;
        create trigger a_gate before insert on public.orders for each row execute function public.wait_at_the_gate();`);
      const before = await everything();
      const holder = await there.owner.reserve();
      await holder`select pg_advisory_lock(4712)`;
      const restoring = restoreBackup(actor, { id }).then(
        () => 'restored',
        () => 'failed',
      );
      const held = () => there.owner`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
      await expect.poll(held).toHaveLength(1);
      for (const { pid } of await held()) await there.owner`select pg_terminate_backend(${pid})`;
      expect(await restoring).toBe('failed');
      await holder`select pg_advisory_unlock(4712)`;
      holder.release();
      expect(await everything()).toEqual(before);
      await there.owner.unsafe('drop function public.wait_at_the_gate cascade');
      await restoreBackup(actor, { id });
      await expectSoundBooks();
    });
  });
});

describe('the list of backups', () => {
  it('has one being made at a time, tells those that were cut off, and deletes with their file', async () => {
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => beginBackup(admin, { withFiles: false })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [running] = (await listBackups()).filter(({ status }) => status === 'running');
    expect(running).toMatchObject({ isCutOff: false });
    await expect(deleteBackup(admin, { id: running?.id ?? '' })).rejects.toMatchObject({ code: 'conflict' });
    await db().execute(
      sql`update backups set updated_at = now() - interval '5 minutes' where id = ${running?.id ?? ''}`,
    );
    expect((await listBackups()).find(({ id }) => id === running?.id)).toMatchObject({ isCutOff: true });
    await deleteBackup(admin, { id: running?.id ?? '' });

    const id = await makeBackup();
    await deleteBackup(admin, { id });
    await expect(contentStore().get(`backups/${id}`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteBackup(admin, { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells a failure and keeps nothing', async () => {
    const { orderId } = await makeHistory();
    const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
    const path = join(process.env.DATA_DIR ?? '', 'content', content?.storageKey ?? '');
    writeFileSync(path, 'something else!');
    const { id } = await beginBackup(admin, { withFiles: true });
    await runBackup(id);
    expect((await listBackups()).find((row) => row.id === id)).toMatchObject({ status: 'failed' });
    await contentStore().delete(content?.storageKey ?? '');
    // A file that is gone is told, and no reason to have no backup at all.
    await makeBackup();
    expect((await checkBackup(admin, { id: await makeBackup() })).missingFiles).toBe(1);
  });
});

describe('the database', () => {
  it('lets nobody put books over books, nor empty the audit log', async () => {
    await fundWallet((await makeUser()).userId, 100);
    await expect(db().execute(sql`select restoring.open_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.close_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_logs'])`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_seals', 'sites'])`)).rejects.toThrow();
  });
});

/** What an uploaded archive's manifest says of its tables. */
async function partsOf(id: string, except: string[]) {
  const [row] = await db().select().from(backups).where(eq(backups.id, id));
  const { manifestSchema } = await import('@/lib/backup/manifest');
  const { tables } = manifestSchema.parse(row?.manifest);
  const kept = tables.filter(({ name }) => !except.includes(name));
  return Object.fromEntries(kept.map(({ name, rows, bytes, sha256 }) => [name, { rows, bytes, sha256 }]));
}
