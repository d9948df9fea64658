import { and, asc, eq, exists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { paymentReversals, topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { postPartialReturn } from './return-disputed';

const ending = alias(paymentReversals, 'ending');

/**
 * Condition for withdrawals of won disputes that were not reported as returned. The won dispute may be the same row or
 * another one.
 */
const isWithheld = () =>
  and(
    eq(paymentReversals.kind, 'dispute'),
    eq(paymentReversals.money, 'taken'),
    or(
      eq(paymentReversals.outcome, 'won'),
      exists(
        db()
          .select({ id: ending.id })
          .from(ending)
          .where(
            and(
              eq(ending.topupId, paymentReversals.topupId),
              eq(ending.paymentReference, paymentReversals.paymentReference),
              eq(ending.kind, 'dispute'),
              eq(ending.outcome, 'won'),
              // A withdrawal after the dispute ended does not belong to it; the provider keeps that money.
              sql`coalesce(${paymentReversals.happenedAt}, ${paymentReversals.createdAt})
                <= coalesce(${ending.happenedAt}, ${ending.updatedAt})`,
            ),
          ),
      ),
    ),
  );

/** Lists withdrawals for won disputes that the provider has not reported as returned. */
export async function listWithheld() {
  return db()
    .select({
      reversalId: paymentReversals.id,
      provider: paymentReversals.provider,
      /** The id of the withdrawal at the provider. */
      reference: paymentReversals.reference,
      /** Integer minor units of `currency`. */
      amountMinor: paymentReversals.amountMinor,
      currency: paymentReversals.currency,
      since: paymentReversals.updatedAt,
      user: { id: users.id, name: users.name, email: users.email },
    })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .innerJoin(users, eq(users.id, topups.userId))
    .where(isWithheld())
    .orderBy(asc(paymentReversals.createdAt), asc(paymentReversals.id))
    .limit(500);
}

export type Withheld = Awaited<ReturnType<typeof listWithheld>>[number];

/**
 * Confirms that the provider returned the money of a won dispute without an event. Credits the wallet; a debt is repaid
 * from it first. The audit log names the admin.
 * @throws AppError not_found when nothing is withheld, forbidden for the actor's own wallet
 */
export async function confirmReturn(actor: Actor, reversalId: string): Promise<void> {
  const [found] = await db()
    .select({ reversal: paymentReversals, userId: topups.userId })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .where(and(eq(paymentReversals.id, reversalId), isWithheld()));
  if (!found) throw new AppError('not_found', 'Nothing is withheld for this dispute anymore.');
  requireNotOwn(actor, found.userId, 'return money to your own wallet');
  await postPartialReturn(actor, found.reversal, found.reversal.amountMinor);
}
