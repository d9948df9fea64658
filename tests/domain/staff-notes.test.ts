import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eq, inArray } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { maxTags } from '@/lib/notes/limits';
import { addNote, deleteNote, listNotes, type Subject } from '@/lib/notes/notes';
import { orderNoteInput, tagParam, userTagInput } from '@/lib/notes/schemas';
import { listKnownTags, listTags, setTag } from '@/lib/notes/tags';
import { buyerOrderView } from '@/lib/orders/contract';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { deleteOrder } from '@/lib/orders/order/delete';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { getOrder } from '@/lib/orders/order/queries';
import { exportPeople } from '@/lib/users/export';
import { listPeople } from '@/lib/users/queries';
import { deleteUser } from '@/lib/workflows/delete-user';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';

const admin = await makeAccount({ role: 'Admin' });
const refused = (status: number) => expect.objectContaining({ name: 'AppError', status });
const userTag = (tag: string) => userTagInput.parse({ id: 'x', tag, on: true }).tag;

it('keeps notes about users and orders for staff: with author and time, in no view or history of the buyer', async () => {
  const { id, buyer } = await makeOrder(1_000);
  const [order, user]: [Subject, Subject] = [
    { kind: 'order', id },
    { kind: 'user', id: buyer.userId },
  ];
  await addNote(admin, order, 'Waits for the article.\nAsk on Monday.');
  await addNote(admin, order, 'Secret second note');
  await addNote(admin, user, 'Secret about the person');
  await setTag(admin, order, 'secret-tag', true);
  expect(await listNotes(order)).toMatchObject([
    { text: 'Secret second note', author: admin.name || admin.email },
    { text: 'Waits for the article.\nAsk on Monday.' },
  ]);
  expect(await listNotes(user)).toMatchObject([{ text: 'Secret about the person' }]);
  const seen = [buyerOrderView(await getOrder(buyer, id)), await getTimeline({ id, accountId: buyer.userId }, 'buyer')];
  expect(JSON.stringify(seen)).not.toMatch(/secret/i);

  const [newest] = await listNotes(order);
  // The permission of the other kind does not reach it.
  await expect(deleteNote(admin, 'user', newest?.id ?? 0)).rejects.toEqual(refused(404));
  await deleteNote(admin, 'order', newest?.id ?? 0);
  await expect(deleteNote(admin, 'order', newest?.id ?? 0)).rejects.toEqual(refused(404));
  expect(await listNotes(order)).toHaveLength(1);
  const lines = await db()
    .select()
    .from(auditLogs)
    .where(inArray(auditLogs.entityType, ['note', 'tag']));
  expect(lines.map(({ action }) => action)).toEqual([
    ...['note.added', 'note.added', 'note.added', 'tag.added', 'note.deleted'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('Secret');
});

it('finds users and orders by tag, each spelling once, and limits their number under concurrency', async () => {
  const { id, buyer } = await makeOrder(1_000);
  const order: Subject = { kind: 'order', id };
  for (const tag of [' VIP ', 'vip', 'V\u200bIP']) await setTag(admin, order, userTag(tag), true);
  await setTag(admin, { kind: 'user', id: buyer.userId }, userTag('Late  payer'), true);
  expect(await listTags(order)).toEqual(['vip']);
  expect(await listKnownTags('user')).toContain('late payer');
  const tagged = async (tag: string) =>
    (await listAllOrders({ tag: tagParam.parse(tag), limit: 10, offset: 0 })).rows.map((row) => row.id);
  expect(await tagged('Vip')).toEqual([id]);
  expect(await tagged('other')).toEqual([]);
  const people = await listPeople({ tag: 'late payer', limit: 10, offset: 0 });
  expect(people.rows.map((row) => row.id)).toEqual([buyer.userId]);
  const csv = await text(Readable.from(exportPeople({ tag: 'late payer' })));
  expect(csv.split('\r\n')[1]).toContain('late payer');
  expect(csv).not.toMatch(/balance|\$/i);
  await setTag(admin, order, 'vip', false);
  await setTag(admin, order, 'vip', false);
  expect(await tagged('vip')).toEqual([]);

  const answers = await Promise.allSettled(
    Array.from({ length: maxTags + 5 }, (_, index) => setTag(admin, order, `tag ${index}`, true)),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxTags);
  expect(await listTags(order)).toHaveLength(maxTags);
});

it('refuses empty and long texts, and records that do not exist; a deleted user has no notes', async () => {
  for (const input of ['', ' \n ', '\u200b', 'x'.repeat(2_001)])
    expect(orderNoteInput.safeParse({ id: 1, text: input }).success).toBe(false);
  for (const tag of ['', ' ', 'a,b', 'x'.repeat(31)])
    expect(userTagInput.safeParse({ id: 'x', tag, on: true }).success).toBe(false);
  const missing: Subject[] = [
    { kind: 'order', id: 2_000_000_000 },
    { kind: 'user', id: 'unknown' },
  ];
  const { id } = await makeOrder(1_000);
  await deleteOrder(admin, id);
  for (const subject of [...missing, { kind: 'order', id } as const]) {
    await expect(addNote(admin, subject, 'Note')).rejects.toEqual(refused(404));
    await expect(setTag(admin, subject, 'vip', true)).rejects.toEqual(refused(404));
  }
  const { userId } = await makeAccount();
  await addNote(admin, { kind: 'user', id: userId }, 'Note');
  await setTag(admin, { kind: 'user', id: userId }, 'gone', true);
  await deleteUser(admin, userId);
  expect(await listNotes({ kind: 'user', id: userId })).toEqual([]);
  expect(await listKnownTags('user')).not.toContain('gone');
  expect(
    await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, `user-${userId}`)),
  ).toHaveLength(1);
});
