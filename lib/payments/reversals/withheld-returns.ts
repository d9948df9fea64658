import { and, asc, eq, exists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { paymentReversals, topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor } from '../../access/actor';
import { requireNotOwn } from '../../approvals/request';
import { AppError } from '../../errors';
import { returnInPart } from './return-disputed';

const ending = alias(paymentReversals, 'ending');

/** The dispute was won, in the same notification or under another name, and what it took is not told to be back. */
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

/**
 * An admin saw at the provider that what a won dispute took is back, though no notification told so: it returns to the
 * wallet, where a debt is paid from it first. The audit log names the admin.
 * @throws AppError not_found when nothing is withheld for it (any more), forbidden for the actor's own wallet
 */
export async function confirmReturn(actor: Actor, reversalId: string): Promise<void> {
  const [found] = await db()
    .select({ reversal: paymentReversals, userId: topups.userId })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .where(and(eq(paymentReversals.id, reversalId), isWithheld()));
  if (!found) throw new AppError('not_found', 'Nothing is withheld for this dispute any more.');
  requireNotOwn(actor, found.userId, 'return money to your own wallet');
  await returnInPart(actor, found.reversal, found.reversal.amountMinor);
}
