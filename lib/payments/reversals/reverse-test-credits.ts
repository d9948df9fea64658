import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { transfers } from '@/db/schema/ledger';
import { paymentModes } from '@/db/schema/payment-configs';
import { type PaymentProviderName, paymentReversals, topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { AnyActor } from '../../access/actor';
import { AppError } from '../../errors';
import { formatMoney, walletCurrency } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
import { findPayment } from '../top-ups/find-payment';
import { testCreditReference } from './reversal-postings';
import { reverseTopupIn } from './reverse';

/** A test payment whose credit is still in a wallet. */
export type TestCredit = {
  topupId: string;
  userId: string;
  email: string;
  /** What of the credit was not refunded or deleted, in integer USD cents. */
  amountCents: number;
  paidAt: Date | null;
};

type Found = TestCredit & {
  topup: typeof topups.$inferSelect;
  paymentReference: string;
  /** What of the charge was not refunded, in minor units of the charge's currency. */
  chargeMinor: number;
};

/** The credits that a switch of the provider to live mode reverses, oldest first. */
export async function listTestCredits(provider: PaymentProviderName): Promise<TestCredit[]> {
  const found = await find(db(), provider);
  return found.map(({ topupId, userId, email, amountCents, paidAt }) => ({
    topupId,
    userId,
    email,
    amountCents,
    paidAt,
  }));
}

/**
 * Takes every credit of a test payment out of the wallets, before the provider goes live in the same transaction.
 * Each is booked as a refund of the whole payment. A test payment that is settled at the same moment waits for the
 * mode's row, and then stands in suspense.
 * @param confirmedCents the sum of the credits that the admin confirmed, in USD cents; undefined when nothing was
 * @returns how many credits were reversed
 * @throws AppError conflict when credits exist and their sum was not confirmed, or when a wallet no longer holds its
 * credits; then nothing changes
 */
export async function reverseTestCredits(
  tx: Executor,
  actor: AnyActor,
  provider: PaymentProviderName,
  confirmedCents?: number,
): Promise<number> {
  await tx.select().from(paymentModes).where(eq(paymentModes.provider, provider)).for('update');
  const credits = await find(tx, provider, true);
  if (credits.length === 0) return 0;
  const name = providerNames[provider];
  const sumCents = credits.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const sum = formatMoney(sumCents, walletCurrency);
  if (confirmedCents !== sumCents) {
    throw new AppError(
      'conflict',
      `Wallets hold ${sum} of test money from ${credits.length === 1 ? '1 payment' : `${credits.length} payments`} by ${name}. Confirm that exactly this amount is removed (reverseTestCreditsCents=${sumCents}) to switch to live mode.`,
    );
  }
  await recordAudit(tx, actor, {
    action: 'payments.test_credits_reversed',
    details: `${sum} of ${credits.length} test payments by ${name} removed from wallets: ${name} goes live.`,
    entityType: 'payment_config',
    entityId: `${provider}:live`,
    amountCents: sumCents,
    before: { topupIds: credits.map(({ topupId }) => topupId) },
  });
  for (const { topup, paymentReference, chargeMinor } of credits) {
    await reverseTopupIn(tx, actor, topup.id, {
      about: 'reversal',
      kind: 'refund',
      reference: testCreditReference(topup.id),
      paymentReference,
      topupId: topup.id,
      mode: topup.mode,
      amountMinor: chargeMinor,
      currency: topup.chargeCurrency,
      money: 'taken',
      outcome: null,
    });
  }
  await refuseSpent(tx, provider, credits);
  return credits.length;
}

/** A wallet that did not hold its test credits now owes the rest: the switch is refused, and all of it rolled back. */
async function refuseSpent(tx: Executor, provider: PaymentProviderName, credits: readonly Found[]): Promise<void> {
  const keyOf = (topupId: string) => `${provider}:refund:${testCreditReference(topupId)}:owed`;
  const owed = await tx
    .select({ key: transfers.key, amountCents: transfers.amountCents })
    .from(transfers)
    .where(
      inArray(
        transfers.key,
        credits.map(({ topupId }) => keyOf(topupId)),
      ),
    );
  if (owed.length === 0) return;
  const byEmail = new Map<string, number>();
  for (const { email, topupId } of credits) {
    const missing = owed.find(({ key }) => key === keyOf(topupId))?.amountCents ?? 0;
    if (missing > 0) byEmail.set(email, (byEmail.get(email) ?? 0) + missing);
  }
  const people = [...byEmail].map(([email, cents]) => `${email} (${formatMoney(cents, walletCurrency)})`);
  const shown = people.slice(0, 10).join(', ');
  throw new AppError(
    'conflict',
    `Test money was spent by ${shown}${people.length > 10 ? ` and ${people.length - 10} others` : ''}. Refund the orders it paid for, then switch to live mode again. Nothing was changed.`,
  );
}

async function find(tx: Executor, provider: PaymentProviderName, isLocking = false): Promise<Found[]> {
  const query = tx
    .select({ topup: topups, email: users.email })
    .from(topups)
    .innerJoin(users, eq(users.id, topups.userId))
    .where(
      and(
        eq(topups.provider, provider),
        ne(topups.mode, 'live'),
        inArray(topups.status, ['paid', 'disputed', 'refunded']),
      ),
    )
    .orderBy(asc(topups.paidAt), asc(topups.id));
  const rows = await (isLocking ? query.for('no key update', { of: topups }) : query);
  const found: Found[] = [];
  for (const { topup, email } of rows) {
    const { id: topupId, userId, paymentReference, paidAt } = topup;
    if (paymentReference === null) continue;
    const payment = await findPayment(tx, provider, paymentReference);
    // A credit that an admin deleted left the wallet already.
    if (payment?.place !== 'wallet') continue;
    const [taken] = await tx
      .select({
        cents: sql<number>`coalesce(sum(${paymentReversals.amountCents}), 0)`.mapWith(Number),
        minor: sql<number>`coalesce(sum(${paymentReversals.amountMinor}), 0)`.mapWith(Number),
      })
      .from(paymentReversals)
      .where(
        and(
          eq(paymentReversals.topupId, topupId),
          eq(paymentReversals.paymentReference, paymentReference),
          eq(paymentReversals.money, 'taken'),
        ),
      );
    const amountCents = topup.amountCents - (taken?.cents ?? 0);
    const chargeMinor = topup.chargeAmountMinor - (taken?.minor ?? 0);
    if (amountCents > 0)
      found.push({ topup, topupId, userId, email, amountCents, paidAt, paymentReference, chargeMinor });
  }
  return found;
}
