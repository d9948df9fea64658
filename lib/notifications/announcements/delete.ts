import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import type { DeleteAnnouncementInput } from './schemas';
import { lockAnnouncement } from './update';

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
