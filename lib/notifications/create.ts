import type { Executor } from '../../db/client';
import { type NoticeKind, notices } from '../../db/schema/notices';
import type { AnyActor } from '../access/actor';

/** Creates a notification for a user, unless the user made the change. */
export async function createNotification(
  tx: Executor,
  actor: AnyActor,
  { userId, kind, subject }: { userId: string; kind: NoticeKind; subject: string },
): Promise<void> {
  if (actor.userId !== userId) await tx.insert(notices).values({ userId, kind, subject });
}
