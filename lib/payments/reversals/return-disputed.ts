import { and, asc, eq, exists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { paymentReversals, topups } from '@/db/schema/topups';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { openProviderOf } from '@/lib/payments/providers/open-provider';
import { isOutage, type PaymentProvider, type ReversalEvidence } from '@/lib/payments/providers/provider';
import type { Topup } from '@/lib/payments/top-ups/queries';
import { reverseTopupInTransaction } from './reverse';

type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Returns the money that a provider withdrew for disputes that were won, when it reports the withdrawal under another
 * id (PayPal). Call it after any evidence about a dispute, in any order: it matches withdrawals with won disputes.
 * Money whose return the provider does not state stays withdrawn and is listed for an admin.
 * @param opened the provider that the caller has opened
 */
export async function returnDisputedFunds(
  actor: AnyActor,
  topup: Topup,
  evidence: ReversalEvidence,
  opened: PaymentProvider,
): Promise<void> {
  // Read before the request to the provider, so that its answer concerns only these disputes.
  const disputes = await listPaymentDisputes(topup.id, evidence.paymentReference);
  const won = disputes.filter(({ money, outcome }) => money === 'kept' && outcome === 'won');
  if (won.length === 0 || disputes.every(({ money }) => money !== 'taken')) return;
  const credits: (number | 'all' | null)[] = [];
  for (const one of won) credits.push(await findReturnedAmountOf(opened, topup, one, evidence));
  for (const { taking, returnedMinor } of matchReturnedDisputes(disputes, won, credits)) {
    await postPartialReturn(actor, taking, returnedMinor);
  }
}

const listPaymentDisputes = (topupId: string, paymentReference: string) =>
  db()
    .select()
    .from(paymentReversals)
    .where(
      and(
        eq(paymentReversals.topupId, topupId),
        eq(paymentReversals.paymentReference, paymentReference),
        eq(paymentReversals.kind, 'dispute'),
      ),
    )
    .orderBy(asc(paymentReversals.createdAt), asc(paymentReversals.id));

/** Finds what was returned for a won dispute. Events arrive in any order, so each won dispute is retrieved. */
async function findReturnedAmountOf(opened: PaymentProvider, topup: Topup, won: Reversal, evidence: ReversalEvidence) {
  const reported = evidence.reference === won.reference ? (evidence.returnedMinor ?? null) : null;
  try {
    const provider = await openProviderOf(topup, opened);
    return (await provider.findReturnedAmount?.(won)) ?? reported;
  } catch (thrown) {
    // A refused request is left to an admin. During an outage the event is retried.
    if (isOutage(thrown)) throw thrown;
    return reported;
  }
}

/**
 * Matches withdrawals of a payment with the amounts that the provider reinstated for won disputes. Earlier returns are
 * subtracted first, so that no credit counts twice.
 * @param disputes all dispute rows of the payment, oldest first
 * @param won the rows that were won, each with its entry in `credits`
 * @param credits reinstated minor units; `all` when the payment is complete again; null when not stated
 */
function matchReturnedDisputes(
  disputes: readonly Reversal[],
  won: readonly Reversal[],
  credits: readonly (number | 'all' | null)[],
) {
  const reversed = disputes.filter(({ money }) => money === 'taken');
  if (credits.includes('all')) return reversed.map((taking) => ({ taking, returnedMinor: taking.amountMinor }));
  const credited = won.map((ending, index) => ({ ending, minor: Number(credits[index] ?? 0) }));
  let left = credited.reduce((sum, { minor }) => sum + minor, 0) - sumReturned(disputes);
  const open = reversed.filter((taking) =>
    credited.some(({ ending, minor }) => minor > 0 && isNotAfter(taking, ending)),
  );
  const same = open.find(({ amountMinor }) => amountMinor === left);
  if (same) return [{ taking: same, returnedMinor: left }];
  const matches: { taking: Reversal; returnedMinor: number }[] = [];
  for (const taking of open) {
    const returnedMinor = Math.min(taking.amountMinor, left);
    if (returnedMinor <= 0) break;
    matches.push({ taking, returnedMinor });
    left -= returnedMinor;
  }
  return matches;
}

/**
 * Checks that a withdrawal was not after the end of a dispute: a won one returns nothing that was withdrawn later.
 * Compares the provider's timestamps, because events arrive in any order.
 */
const isNotAfter = (taking: Reversal, ending: Reversal): boolean =>
  taking.happenedAt === null || ending.happenedAt === null || taking.happenedAt <= ending.happenedAt;

/**
 * Sums the amounts returned so far. A partial return is booked as a full return and a new withdrawal of the remainder.
 */
function sumReturned(disputes: readonly Reversal[]): number {
  let sum = 0;
  for (const one of disputes) {
    if (one.money === 'returned') sum += one.amountMinor;
    if (one.reference.endsWith(remainderSuffix)) sum -= one.amountMinor;
  }
  return sum;
}

/** Suffix of the reference of the remainder of a partial return. No provider's id has it. */
const remainderSuffix = ':rest';

/**
 * Returns all or part of the money withdrawn for a won dispute. Transfers are immutable, so a part is booked as a full
 * return and a new withdrawal of the remainder, in one transaction. Idempotent.
 * @param taking the withdrawal as read when the returned amount was determined
 * @param returnedMinor minor units of its currency, at most its amount
 */
async function postPartialReturn(actor: AnyActor, taking: Reversal, returnedMinor: number): Promise<void> {
  const { topupId, kind, reference, paymentReference, mode, amountMinor, currency } = taking;
  const evidence: ReversalEvidence = {
    about: 'reversal',
    ...{ topupId, kind, reference, paymentReference, mode, amountMinor, currency },
    money: 'returned',
    outcome: 'won',
  };
  await db().transaction(async (tx) => {
    const isChange = await reverseTopupInTransaction(tx, actor, topupId, evidence);
    if (!isChange || returnedMinor >= amountMinor) return;
    await reverseTopupInTransaction(tx, actor, topupId, {
      ...evidence,
      reference: `${reference}${remainderSuffix}`,
      amountMinor: amountMinor - returnedMinor,
      money: 'taken',
      ...(taking.happenedAt && { happenedAt: taking.happenedAt }),
    });
  });
}

const ending = alias(paymentReversals, 'ending');

/**
 * Returns the condition for withdrawals of won disputes that were not reported as returned. The won dispute may be the
 * same row or another one.
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
      user: { id: accounts.id, name: accounts.name, email: accounts.email },
    })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .innerJoin(accounts, eq(accounts.id, topups.accountId))
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
    .select({ reversal: paymentReversals, userId: topups.accountId })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .where(and(eq(paymentReversals.id, reversalId), isWithheld()));
  if (!found) throw new AppError('not_found', 'Nothing is withheld for this dispute anymore.');
  await requireOthersAccount(db(), actor, found.userId, 'return money to your own wallet');
  await postPartialReturn(actor, found.reversal, found.reversal.amountMinor);
}
