import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { prepared } from '@/db/prepared';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { newId } from '@/lib/ids';

const insertMails = insertRows(mails, ['id', 'kind', 'recipient', 'subject', 'priority', 'sentAt', 'gathersFor']);

it('inserts any number of rows in their order, with the defaults of the other columns', async () => {
  const kind = newId();
  const sentAt = new Date('2026-02-03T04:05:06.789Z');
  const rows = [3, 1, 2].map((priority) => ({
    ...{ id: newId(), kind, recipient: `${priority}@example.com`, priority, sentAt, gathersFor: null },
    // A text that was cut inside of a character.
    subject: '“Quoted”, \\ud83d and 😀'.slice(0, -1),
  }));
  await insertMails(db(), rows);
  await insertMails(db(), []);
  const stored = await db().select().from(mails).where(eq(mails.kind, kind)).orderBy(sql`ctid`);
  expect(stored).toMatchObject(
    rows.map((row) => ({ ...row, subject: '“Quoted”, \\ud83d and \ufffd', attempts: 0, sealedBody: null })),
  );
  await db().delete(mails).where(eq(mails.kind, kind));
});

it('takes more values than a statement may have parameters', async () => {
  const kind = newId();
  const row = { kind, recipient: 'a@example.com', subject: '', sentAt: new Date(), gathersFor: null, priority: 1 };
  await insertMails(
    db(),
    Array.from({ length: 10_000 }, () => ({ id: newId(), ...row })),
  );
  expect(await db().$count(mails, eq(mails.kind, kind))).toBe(10_000);
  await db().delete(mails).where(eq(mails.kind, kind));
});

it('requires a value of the right type for a named column, because null is not its default', async () => {
  const row = { id: newId(), kind: newId(), recipient: 'a@example.com', subject: '' };
  // @ts-expect-error `priority` has a default, which a named column does not get.
  await expect(insertMails(db(), [row])).rejects.toMatchObject({ cause: { column_name: 'priority' } });
  // @ts-expect-error `priority` is a number.
  await expect(insertMails(db(), [{ ...row, priority: 'high' }])).rejects.toMatchObject({ cause: { code: '22P02' } });
  await expect(
    insertMails(db(), [
      { ...row, priority: 1 },
      { ...row, priority: 1 },
    ]),
  ).rejects.toMatchObject({ cause: { constraint_name: 'mails_pkey' } });
  expect(await db().$count(mails, eq(mails.kind, row.kind))).toBe(0);
});

const countLines = prepared((on) =>
  on
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(auditLogs)
    .where(eq(auditLogs.action, sql.placeholder('action')))
    .prepare('lines'),
);

it('a prepared statement sees the rows of its transaction, and outside of it none that was rolled back', async () => {
  const action = newId();
  const rolledBack = db().transaction(async (tx) => {
    await tx
      .insert(auditLogs)
      .values({ action, details: '', user: '', role: '', source: '', entityType: '', entityId: '', mac: '' });
    expect(await countLines(tx).execute({ action })).toEqual([{ total: 1 }]);
    expect(await countLines().execute({ action })).toEqual([{ total: 0 }]);
    throw new RangeError('rolled back');
  });
  await expect(rolledBack).rejects.toThrow(RangeError);
  expect(await countLines().execute({ action })).toEqual([{ total: 0 }]);
});
