import { and, count, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { paymentReversals, topups } from '../../db/schema/topups';
import { users } from '../../db/schema/users';

/** `open`: not decided; `ended`: won or lost. */
export type DisputeState = 'open' | 'ended';

/**
 * The disputes that providers report about top-ups. PayPal reports the money it takes for a dispute under a name of its
 * own, beside the dispute, which itself moves none: that is no second dispute.
 */
const inState = (state: DisputeState) =>
  and(
    eq(paymentReversals.kind, 'dispute'),
    or(ne(paymentReversals.provider, 'paypal'), eq(paymentReversals.money, 'kept')),
    state === 'open' ? isNull(paymentReversals.outcome) : isNotNull(paymentReversals.outcome),
  );

/**
 * The disputes in a state: open ones by their deadline, the nearest first and those without one last, ended ones newest
 * first.
 */
export async function listDisputes(state: DisputeState, { limit, offset }: { limit: number; offset: number }) {
  const rows = await db()
    .select({
      id: paymentReversals.id,
      provider: paymentReversals.provider,
      mode: paymentReversals.mode,
      /** The provider's dispute. */
      reference: paymentReversals.reference,
      topupId: paymentReversals.topupId,
      /** Integer minor units of `currency`. */
      amountMinor: paymentReversals.amountMinor,
      currency: paymentReversals.currency,
      reason: paymentReversals.reason,
      evidenceDueBy: paymentReversals.evidenceDueBy,
      outcome: paymentReversals.outcome,
      money: paymentReversals.money,
      openedAt: paymentReversals.createdAt,
      user: { id: users.id, name: users.name, email: users.email },
    })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .innerJoin(users, eq(users.id, topups.userId))
    .where(inState(state))
    .orderBy(
      ...(state === 'open' ? [sql`${paymentReversals.evidenceDueBy} asc nulls last`] : []),
      desc(paymentReversals.createdAt),
      desc(paymentReversals.id),
    )
    .limit(limit)
    .offset(offset);
  return rows;
}

export type Dispute = Awaited<ReturnType<typeof listDisputes>>[number];

/** How many disputes are in a state. */
export async function countDisputes(state: DisputeState): Promise<number> {
  const [row] = await db().select({ count: count() }).from(paymentReversals).where(inState(state));
  return row?.count ?? 0;
}
