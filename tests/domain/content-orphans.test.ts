import { EventEmitter, once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { orderContents, orders } from '@/db/schema/orders';
import { newId } from '@/lib/ids';
import { claimJobTurn, jobs } from '@/lib/jobs/jobs';
import { attachContent, openContent } from '@/lib/orders/deliverables/content';
import { removeOrphans } from '@/lib/orders/deliverables/store-file';
import { backupKey, newStorageKey } from '@/lib/platform/storage/storage-key';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

const store = join(process.env.DATA_DIR ?? '', 'content');
const hour = 60 * 60 * 1000;
const age = (name: string, hours: number) => {
  const then = new Date(Date.now() - hours * hour);
  utimesSync(join(store, name), then, then);
};
/** A stored file that no row references. */
const place = (name: string, hours: number) => {
  mkdirSync(dirname(join(store, name)), { recursive: true });
  writeFileSync(join(store, name), 'left over');
  age(name, hours);
  return name;
};
const stored = () =>
  readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .sort();
/** An old order. */
const oldOrder = async () => {
  const { id } = await makeOrder(1_000);
  await db().update(orders).set({ createdAt: sql`now() - interval '1 year'` }).where(eq(orders.id, id));
  return id;
};
const keyOf = async (orderId: number) => {
  const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
  return content?.storageKey ?? '';
};

const words = (content: string) => Readable.from([Buffer.from(content)]);

beforeEach(() => mkdirSync(store, { recursive: true }));

it('deletes complete and partial files without a row after a day, and nothing else', async () => {
  const admin = await makeUser('Admin');
  const id = await oldOrder();
  await attachContent(admin, id, words('first'), 'first.txt');
  await attachContent(admin, id, words('second'), 'second.txt');
  for (const name of stored()) age(name, 24 * 300);
  const kept = [
    ...stored(),
    place(newStorageKey(id), 23),
    // Of an order that this database does not have, or that is newer than the file: another installation's file.
    place(newStorageKey(2_000_000_000), 24 * 30),
    place(newStorageKey((await makeOrder(1_000)).id), 25),
    // Not a storage key of this app.
    place(`orders/${id}/notes.txt`, 24 * 30),
    place('backups/today.zip', 24 * 30),
    place(`${backupKey(newId())}.partial`, 23),
  ].sort();
  place(`${backupKey(newId())}.partial`, 25);
  place(newStorageKey(id), 25);
  place(`${newStorageKey(id)}.partial`, 25);
  expect(await removeOrphans()).toMatchObject({ removed: 2, failed: 0, unfinished: 1 });
  expect(stored()).toEqual(kept);
  expect(await removeOrphans()).toMatchObject({ removed: 0, failed: 0 });
  expect(await text((await openContent(id)).stream)).toBe('second');
});

it('processes more orders and files than one statement covers', { timeout: 60_000 }, async () => {
  const ids = [await oldOrder(), await oldOrder(), await oldOrder()];
  const admin = await makeUser('Admin');
  for (const id of ids) await attachContent(admin, id, words('kept'), 'kept.txt');
  const kept = stored();
  for (const name of kept.filter((key) => ids.some((id) => key.startsWith(`orders/${id}/`)))) age(name, 48);
  for (let count = 0; count < 601; count++) place(newStorageKey(ids[count % 3] ?? 0), 48);
  expect(await removeOrphans()).toMatchObject({ removed: 601, failed: 0 });
  expect(stored()).toEqual(kept);
});

it('prevents two current contents of an order and two rows of one file', async () => {
  const admin = await makeUser('Admin');
  const id = await oldOrder();
  await attachContent(admin, id, words('first'), 'first.txt');
  const facts = { fileName: 'b.txt', mediaType: 'text/plain', sizeBytes: 1, sha256: '', uploadedBy: admin.userId };
  const write = (row: { storageKey: string; replacedAt?: Date }) =>
    db()
      .insert(orderContents)
      .values({ id: newId(), orderId: id, ...facts, ...row });
  const inForce = { cause: { constraint_name: 'order_contents_in_force' } };
  await expect(write({ storageKey: newStorageKey(id) })).rejects.toMatchObject(inForce);
  const sameFile = { cause: { constraint_name: 'order_contents_storage_key' } };
  await expect(write({ storageKey: await keyOf(id), replacedAt: new Date() })).rejects.toMatchObject(sameFile);
});

it('deletes no referenced file while instances upload and clean up concurrently', {
  timeout: 60_000,
}, async () => {
  const admin = await makeUser('Admin');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ orphans: fc.nat({ max: 3 }), uploads: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (plan) => {
        const ids = await Promise.all(plan.map(oldOrder));
        const orphans = plan.flatMap(({ orphans: count }, index) =>
          Array.from({ length: count }, () => place(newStorageKey(ids[index] ?? 0), 48)),
        );
        const uploads = plan.flatMap(({ uploads: count }, index) =>
          Array.from({ length: count }, (_, n) =>
            attachContent(admin, ids[index] ?? 0, words(`words ${n}`), `${n}.txt`),
          ),
        );
        await Promise.all([...uploads, removeOrphans(), removeOrphans(), removeOrphans()]);
        const named = await db().select({ key: orderContents.storageKey }).from(orderContents);
        const left = stored();
        expect(named.map(({ key }) => key).filter((key) => !left.includes(key))).toEqual([]);
        expect(orphans.filter((key) => left.includes(key))).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});

it("waits for an upload that has not written its row, whatever the file's age", async () => {
  const id = await oldOrder();
  const key = place(newStorageKey(id), 48);
  let isCommitted = false;
  const progress = new EventEmitter();
  const [locked, isWaitedFor] = [once(progress, 'locked'), once(progress, 'waited for')];
  const writing = db().transaction(async (tx) => {
    await tx.select().from(orders).where(eq(orders.id, id)).for('no key update');
    progress.emit('locked');
    await isWaitedFor;
    const uploadedBy = (await makeUser('Admin')).userId;
    const facts = { fileName: 'a.txt', mediaType: 'text/plain', sizeBytes: 9, sha256: '' };
    await tx.insert(orderContents).values({ id: newId(), orderId: id, storageKey: key, uploadedBy, ...facts });
    isCommitted = true;
  });
  await locked;
  const removing = removeOrphans();
  const waiting = () =>
    db().execute(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  progress.emit('waited for');
  await removing;
  expect(isCommitted).toBe(true);
  await writing;
  expect(await keyOf(id)).toBe(key);
  expect(stored()).toContain(key);
});

it('runs once in six hours over all instances', async () => {
  const job = jobs.find(({ name }) => name === 'remove-orphaned-content');
  if (!job) throw new Error('No such job');
  const key = place(newStorageKey(await oldOrder()), 48);
  const turns = await Promise.all(Array.from({ length: 5 }, () => job.run()));
  expect(turns.filter((figures) => 'removed' in figures)).toHaveLength(1);
  expect(stored()).not.toContain(key);
  expect(await claimJobTurn('remove-orphaned-content', 60)).toBe(false);
  await db().update(rateLimits).set({ resetsAt: sql`now()` }).where(eq(rateLimits.key, 'job:remove-orphaned-content'));
  expect(await claimJobTurn('remove-orphaned-content', 60)).toBe(true);
});
