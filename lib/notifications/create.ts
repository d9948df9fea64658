import type { Executor } from '../../db/client';
import { type NoticeKind, notices } from '../../db/schema/notices';
import type { AnyActor } from '../access/actor';

/** Creates a notification for a user, unless the user made the change. */
export async function createNotification(
  tx: Executor,
  actor: AnyActor,
  notice: { userId: string; kind: NoticeKind; subject: string; orderId?: number },
): Promise<void> {
  if (actor.userId !== notice.userId) await tx.insert(notices).values(notice);
}
