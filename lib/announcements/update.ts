import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { announcements } from '../../db/schema/announcements';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { editedAnnouncement } from './edited-row';
import type { UpdateAnnouncementInput } from './schemas';

/**
 * Corrects what was announced, in every bell it stands in; who has read it is not told again.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function updateAnnouncement(actor: Actor, input: UpdateAnnouncementInput): Promise<void> {
  const { id, version, ...after } = input;
  await db().transaction(async (tx) => {
    const { title, message, type, audience } = await editedAnnouncement(tx, { id, version });
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
