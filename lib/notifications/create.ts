import type { Executor } from '@/db/client';
import { type NoticeKind, notices } from '@/db/schema/notices';
import type { AnyActor } from '@/lib/access/actor';

/**
 * Creates a notification for a user, unless the user made the change.
 * @param forActor also notifies of the user's own change, which another person may have made in a stolen session
 */
export async function createNotification(
  tx: Executor,
  actor: AnyActor,
  notice: { userId: string; kind: NoticeKind; subject: string; orderId?: number },
  { forActor = false }: { forActor?: boolean } = {},
): Promise<void> {
  if (forActor || actor.userId !== notice.userId) await tx.insert(notices).values(notice);
}
