import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { topups } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { AnyActor } from '../auth/actor';

type Topup = typeof topups.$inferSelect;

/**
 * Ends an intent whose time is over and of which no checkout is known: the process ended before the provider's answer
 * was stored, so that its buyer was never sent to pay. Should it be paid nevertheless, that is still credited.
 * @returns it as it now stands, unchanged while it has time or when it was settled meanwhile
 */
export async function expireUnmade(actor: AnyActor, topup: Topup): Promise<Topup> {
  return db().transaction(async (tx) => {
    const [expired] = await tx
      .update(topups)
      .set({ status: 'expired', reason: 'No checkout of it is known.', nextCheckAt: null })
      .where(
        and(
          eq(topups.id, topup.id),
          eq(topups.status, 'created'),
          isNull(topups.providerReference),
          lt(topups.expiresAt, sql`now()`),
        ),
      )
      .returning();
    if (!expired) return topup;
    await recordAudit(tx, actor, {
      action: 'topup.expired',
      details: 'The top-up ran out before a checkout of it was known.',
      entityType: 'topup',
      entityId: topup.id,
      before: { status: topup.status },
      after: { status: 'expired' },
    });
    return expired;
  });
}
