import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import type { UpdateAnnouncementInput } from './schemas';

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
export async function lockAnnouncement(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx
    .select()
    .from(announcements)
    .where(and(eq(announcements.id, id), isNull(announcements.deletedAt)))
    .for('no key update');
  if (!row) throw new AppError('not_found', 'This notification was deleted in the meantime.');
  requireVersion(row, version, `“${row.title}”`);
  return row;
}
