import { and, count, desc, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { staffNotes, userTags } from '@/db/schema/staff-notes';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { maxNotes } from './limits';

/** The record that notes and tags are about. */
export type Subject = { kind: 'user'; id: string } | { kind: 'order'; id: number };

/** A note, as staff see it. */
type StaffNote = { id: number; text: string; author: string; createdAt: Date };

const isAbout = (subject: Subject) =>
  subject.kind === 'user' ? eq(staffNotes.userId, subject.id) : eq(staffNotes.orderId, subject.id);

/** Lists the notes about a record, the newest first. */
export async function listNotes(subject: Subject): Promise<StaffNote[]> {
  const rows = await db()
    .select({
      id: staffNotes.id,
      text: staffNotes.text,
      name: users.name,
      email: users.email,
      createdAt: staffNotes.createdAt,
    })
    .from(staffNotes)
    .innerJoin(users, eq(users.id, staffNotes.authorId))
    .where(isAbout(subject))
    .orderBy(desc(staffNotes.id));
  return rows.map(({ name, email, ...note }) => ({ ...note, author: name || email }));
}

/** Counts the notes about a record. */
export async function countNotes(subject: Subject, on: Executor = db()): Promise<number> {
  const [held] = await on.select({ total: count() }).from(staffNotes).where(isAbout(subject));
  return held?.total ?? 0;
}

/**
 * Adds a note about a user or an order.
 * @throws AppError not_found for a record that does not exist or was deleted, conflict for too many notes
 */
export async function addNote(actor: Actor, subject: Subject, text: string): Promise<void> {
  await db().transaction(async (tx) => {
    const about = await lockSubject(tx, subject);
    if ((await countNotes(subject, tx)) >= maxNotes)
      throw new AppError('conflict', `A record can have at most ${maxNotes} notes. Delete one first.`);
    const key = subject.kind === 'user' ? { userId: subject.id } : { orderId: subject.id };
    const [note] = await tx
      .insert(staffNotes)
      .values({ ...key, authorId: actor.userId, text })
      .returning({ id: staffNotes.id });
    if (!note) throw new Error('The note was not saved.');
    await recordAudit(tx, actor, {
      action: 'note.added',
      // Without the text: the log is read with another permission, and outlives the note.
      details: `An internal note of ${text.length} characters was added to ${about}.`,
      // Not of the type of the record, whose entries are its history.
      entityType: 'note',
      entityId: note.id,
    });
  });
}

/**
 * Deletes a note about records of a kind.
 * @throws AppError not_found for a note that does not exist or is about a record of another kind
 */
export async function deleteNote(actor: Actor, kind: Subject['kind'], noteId: number): Promise<void> {
  await db().transaction(async (tx) => {
    const [note] = await tx.delete(staffNotes).where(eq(staffNotes.id, noteId)).returning();
    const subject = note && toSubject(note);
    if (!note || subject?.kind !== kind) throw new AppError('not_found', 'This note no longer exists.');
    const [author] = await tx.select({ email: users.email }).from(users).where(eq(users.id, note.authorId));
    await recordAudit(tx, actor, {
      action: 'note.deleted',
      details: `An internal note about ${await describeSubject(tx, subject)}, written by ${author?.email}, was deleted.`,
      entityType: 'note',
      entityId: noteId,
    });
  });
}

function toSubject({ userId, orderId }: typeof staffNotes.$inferSelect): Subject | undefined {
  if (userId !== null) return { kind: 'user', id: userId };
  return orderId === null ? undefined : { kind: 'order', id: orderId };
}

/**
 * Locks a record, so that the limits hold when two people write at the same time.
 * @returns the record as the audit log names it
 * @throws AppError not_found
 */
export async function lockSubject(tx: Executor, subject: Subject): Promise<string> {
  if (subject.kind === 'user') {
    const where = and(eq(users.id, subject.id), isNull(users.deletedAt));
    const [user] = await tx.select({ email: users.email }).from(users).where(where).for('no key update');
    if (!user) throw new AppError('not_found', 'This user does not exist or was deleted.');
    return user.email;
  }
  const where = and(eq(orders.id, subject.id), isNull(orders.deletedAt));
  const [order] = await tx.select({ id: orders.id }).from(orders).where(where).for('no key update');
  if (!order) throw new AppError('not_found', `Order #${subject.id} does not exist or was deleted.`);
  return `order #${subject.id}`;
}

async function describeSubject(tx: Executor, subject: Subject): Promise<string> {
  if (subject.kind === 'order') return `order #${subject.id}`;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, subject.id));
  return user?.email ?? subject.id;
}

/** Deletes the notes and tags about a user, in the transaction that deletes the account. */
export async function deleteNotesAboutUser(tx: Executor, userId: string): Promise<void> {
  await tx.delete(staffNotes).where(eq(staffNotes.userId, userId));
  await tx.delete(userTags).where(eq(userTags.userId, userId));
}
