import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { selectDistinctValues } from '@/db/distinct-values';
import { orders } from '@/db/schema/orders';
import { orderTags, userTags } from '@/db/schema/staff-notes';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { maxTags } from './limits';
import { lockSubject, type Subject } from './notes';

/** The condition of a list of users or orders on a tag. */
export const userHasTag = (tag: string): SQL =>
  sql`exists (select from ${userTags} where ${eq(userTags.userId, users.id)} and ${eq(userTags.tag, tag)})`;
export const orderHasTag = (tag: string): SQL =>
  sql`exists (select from ${orderTags} where ${eq(orderTags.orderId, orders.id)} and ${eq(orderTags.tag, tag)})`;

/** Lists the tags of a record, by name. */
export const listTags = async (subject: Subject): Promise<string[]> =>
  subject.kind === 'user'
    ? ((await listTagsOfUsers([subject.id])).get(subject.id) ?? [])
    : ((await listTagsOfOrders([subject.id])).get(subject.id) ?? []);

/** Lists the tags of the users on a page, by their id. */
export async function listTagsOfUsers(ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db().select().from(userTags).where(inArray(userTags.userId, ids)).orderBy(asc(userTags.tag));
  return groupTags(rows.map(({ userId, tag }) => [userId, tag]));
}

/** Lists the tags of the orders on a page, by their number. */
export async function listTagsOfOrders(ids: number[]): Promise<Map<number, string[]>> {
  const rows = await db().select().from(orderTags).where(inArray(orderTags.orderId, ids)).orderBy(asc(orderTags.tag));
  return groupTags(rows.map(({ orderId, tag }) => [orderId, tag]));
}

function groupTags<Id>(rows: [id: Id, tag: string][]): Map<Id, string[]> {
  const grouped = new Map<Id, string[]>();
  for (const [id, tag] of rows) grouped.set(id, [...(grouped.get(id) ?? []), tag]);
  return grouped;
}

/** The most tags that a filter offers. */
const maxChoices = 200;
const values = z.array(z.object({ value: z.string() }));

/** Lists the tags that records of a kind have, as the choices of a filter. */
export async function listKnownTags(kind: Subject['kind']): Promise<string[]> {
  const [table, column] = kind === 'user' ? ([userTags, userTags.tag] as const) : ([orderTags, orderTags.tag] as const);
  const rows = await db().execute(selectDistinctValues(table, column, sql`true`, maxChoices));
  return values.parse([...rows]).map(({ value }) => value);
}

/**
 * Adds a tag to a record or removes it. Idempotent.
 * @throws AppError not_found for a record that does not exist or was deleted, conflict for too many tags
 */
export async function setTag(actor: Actor, subject: Subject, tag: string, on: boolean): Promise<void> {
  await db().transaction(async (tx) => {
    const about = await lockSubject(tx, subject);
    const changed = on ? await insertTag(tx, subject, tag) : await removeTag(tx, subject, tag);
    if (!changed) return;
    await recordAudit(tx, actor, {
      action: on ? 'tag.added' : 'tag.removed',
      details: `The internal tag “${tag}” was ${on ? 'added to' : 'removed from'} ${about}.`,
      // Not of the type of the record, whose entries are its history.
      entityType: 'tag',
      entityId: `${subject.kind}-${subject.id}`,
    });
  });
}

async function insertTag(tx: Executor, subject: Subject, tag: string): Promise<boolean> {
  const created =
    subject.kind === 'user'
      ? await tx
          .insert(userTags)
          .values({ userId: subject.id, tag })
          .onConflictDoNothing()
          .returning({ tag: userTags.tag })
      : await tx
          .insert(orderTags)
          .values({ orderId: subject.id, tag })
          .onConflictDoNothing()
          .returning({ tag: orderTags.tag });
  if (created.length === 0) return false;
  const [held] =
    subject.kind === 'user'
      ? await tx.select({ total: count() }).from(userTags).where(eq(userTags.userId, subject.id))
      : await tx.select({ total: count() }).from(orderTags).where(eq(orderTags.orderId, subject.id));
  if ((held?.total ?? 0) > maxTags)
    throw new AppError('conflict', `A record can have at most ${maxTags} tags. Remove one first.`);
  return true;
}

async function removeTag(tx: Executor, subject: Subject, tag: string): Promise<boolean> {
  const gone =
    subject.kind === 'user'
      ? await tx
          .delete(userTags)
          .where(and(eq(userTags.userId, subject.id), eq(userTags.tag, tag)))
          .returning({ tag: userTags.tag })
      : await tx
          .delete(orderTags)
          .where(and(eq(orderTags.orderId, subject.id), eq(orderTags.tag, tag)))
          .returning({ tag: orderTags.tag });
  return gone.length > 0;
}
