import type { Executor } from '../../db/client';
import { type NoticeKind, notices } from '../../db/schema/notices';
import type { Actor } from '../access/actor';

/** Puts a change into the bell of the person it concerns; what somebody did themselves is no news to them. */
export async function createNotification(
  tx: Executor,
  actor: Actor,
  { userId, kind, subject }: { userId: string; kind: NoticeKind; subject: string },
): Promise<void> {
  if (actor.userId !== userId) await tx.insert(notices).values({ userId, kind, subject });
}
