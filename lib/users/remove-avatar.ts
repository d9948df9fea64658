import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { userAvatars } from '../../db/schema/user-avatars';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';

/** Takes the actor's own picture away; the initials stand again. Without one it is no change. */
export async function removeAvatar(actor: Actor): Promise<void> {
  await db().transaction(async (tx) => {
    const removed = await tx
      .delete(userAvatars)
      .where(eq(userAvatars.userId, actor.userId))
      .returning({ userId: userAvatars.userId });
    if (removed.length === 0) return;
    await recordAudit(tx, actor, {
      action: 'user.picture_removed',
      details: `${actor.email} removed the picture.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
