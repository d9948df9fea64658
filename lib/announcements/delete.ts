import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { announcements } from '../../db/schema/announcements';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { editedAnnouncement } from './edited-row';
import type { DeleteAnnouncementInput } from './schemas';

/**
 * Takes an announcement back, out of every bell.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function deleteAnnouncement(actor: Actor, input: DeleteAnnouncementInput): Promise<void> {
  await db().transaction(async (tx) => {
    const { id, title, message, type, audience } = await editedAnnouncement(tx, input);
    await tx.update(announcements).set({ deletedAt: new Date() }).where(eq(announcements.id, id));
    await recordAudit(tx, actor, {
      action: 'announcement.deleted',
      details: `“${title}” taken back.`,
      entityType: 'announcement',
      entityId: id,
      before: { title, message, type, audience },
    });
  });
}
