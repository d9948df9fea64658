import { and, asc, eq, exists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '../../db/client';
import { paymentReversals, topups } from '../../db/schema/topups';
import { users } from '../../db/schema/users';

const ending = alias(paymentReversals, 'ending');

/** The dispute was won, in the same notification or under another name, and what it took is not told to be back. */
export const isWithheld = () =>
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
              // What was taken after it ended was not taken for it: the provider keeps that.
              sql`coalesce(${paymentReversals.happenedAt}, ${paymentReversals.createdAt})
                <= coalesce(${ending.happenedAt}, ${ending.updatedAt})`,
            ),
          ),
      ),
    ),
  );

/** Money that a provider took for a dispute, and has not told to have given back although the dispute was won. */
export async function listWithheld() {
  return db()
    .select({
      reversalId: paymentReversals.id,
      provider: paymentReversals.provider,
      /** The provider's name for what it took. */
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
