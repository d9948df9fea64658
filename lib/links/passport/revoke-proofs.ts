import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { linkProofs } from '@/db/schema/links';

/** How the order ended without the link. Not published, because it concerns the two sides only. */
type RevocationReason = 'declined' | 'expired' | 'cancelled' | 'settled' | 'lost' | 'refunded';

/**
 * Revokes the passports of an order, finally. Passports that were revoked earlier keep their time and reason.
 * @returns the number of passports that this call revoked
 */
export async function revokeProofs(tx: Executor, orderId: number, reason: RevocationReason): Promise<number> {
  const revoked = await tx
    .update(linkProofs)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(linkProofs.orderId, orderId), isNull(linkProofs.revokedAt)))
    .returning({ id: linkProofs.id });
  return revoked.length;
}
