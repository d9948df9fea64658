import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import type { CreateAnnouncementInput } from './schemas';

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
