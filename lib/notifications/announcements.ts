import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { announcementAudiences, announcementTypes } from '@/db/enums';
import { announcements } from '@/db/schema/announcements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { nameField, proseField, versionField } from '@/lib/platform/http/fields';
import { requireVersion } from '@/lib/platform/optimistic-lock';

export const createAnnouncementInput = z.object({
  title: nameField('Enter a title.', 100, 'The title can have at most 100 characters.'),
  message: proseField('Enter a message.', 1_000, 'The message can have at most 1000 characters.'),
  type: z.enum(announcementTypes, 'Choose a type.'),
  audience: z.enum(announcementAudiences, 'Choose an audience.'),
});
type CreateAnnouncementInput = z.output<typeof createAnnouncementInput>;

export const updateAnnouncementInput = createAnnouncementInput.extend({
  id: z.string(),
  version: versionField,
});
type UpdateAnnouncementInput = z.output<typeof updateAnnouncementInput>;

export const deleteAnnouncementInput = updateAnnouncementInput.pick({ id: true, version: true });
type DeleteAnnouncementInput = z.output<typeof deleteAnnouncementInput>;

/** Lists the announcements that are not deleted, the newest first. */
export async function listAnnouncements(page: { limit: number; offset: number }) {
  const { id, title, message, type, audience, version, createdAt } = announcements;
  const isNotDeleted = isNull(announcements.deletedAt);
  const [rows, [counted]] = await Promise.all([
    db()
      .select({ id, title, message, type, audience, version, createdAt })
      .from(announcements)
      .where(isNotDeleted)
      .orderBy(desc(createdAt), desc(id))
      .limit(page.limit)
      .offset(page.offset),
    db().select({ total: count() }).from(announcements).where(isNotDeleted),
  ]);
  return {
    rows: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    total: counted?.total ?? 0,
  };
}
export type AnnouncementView = Awaited<ReturnType<typeof listAnnouncements>>['rows'][number];

/** Publishes an announcement to all current users of an audience. */
export async function createAnnouncement(actor: Actor, input: CreateAnnouncementInput): Promise<void> {
  const id = newId();
  await db().transaction(async (tx) => {
    // Not the start of the transaction: users who joined or read their notifications since then must not miss it.
    await tx.insert(announcements).values({ id, ...input, createdBy: actor.userId, createdAt: sql`clock_timestamp()` });
    await recordAudit(tx, actor, {
      action: 'announcement.created',
      details: `“${input.title}” announced to ${input.audience}.`,
      entityType: 'announcement',
      entityId: id,
      after: input,
    });
  });
}

/**
 * Updates an announcement; users who have read it are not notified again.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function updateAnnouncement(actor: Actor, input: UpdateAnnouncementInput): Promise<void> {
  const { id, version, ...after } = input;
  await db().transaction(async (tx) => {
    const { title, message, type, audience } = await lockAnnouncement(tx, { id, version });
    await tx
      .update(announcements)
      .set({ ...after, version: version + 1 })
      .where(eq(announcements.id, id));
    await recordAudit(tx, actor, {
      action: 'announcement.changed',
      details: `“${after.title}” changed.`,
      entityType: 'announcement',
      entityId: id,
      before: { title, message, type, audience },
      after,
    });
  });
}

/**
 * Locks the announcement of an edit and checks its version.
 * @throws AppError not_found, conflict for a stale `version`
 */
async function lockAnnouncement(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx
    .select()
    .from(announcements)
    .where(and(eq(announcements.id, id), isNull(announcements.deletedAt)))
    .for('no key update');
  if (!row) throw new AppError('not_found', 'This notification was deleted in the meantime.');
  requireVersion(row, version, `“${row.title}”`);
  return row;
}

/**
 * Deletes an announcement, which removes it from all notifications.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function deleteAnnouncement(actor: Actor, input: DeleteAnnouncementInput): Promise<void> {
  await db().transaction(async (tx) => {
    const { id, title, message, type, audience } = await lockAnnouncement(tx, input);
    await tx.update(announcements).set({ deletedAt: new Date() }).where(eq(announcements.id, id));
    await recordAudit(tx, actor, {
      action: 'announcement.deleted',
      details: `“${title}” deleted.`,
      entityType: 'announcement',
      entityId: id,
      before: { title, message, type, audience },
    });
  });
}
