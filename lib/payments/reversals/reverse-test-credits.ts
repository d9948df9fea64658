import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { transfers } from '@/db/schema/ledger';
import { paymentModes } from '@/db/schema/payment-configs';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { type PaymentProviderName, paymentReversals, topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { findPayment } from '@/lib/payments/top-ups/queries';
import { recordAudit } from '@/lib/platform/audit/record';
import { reverseTestCredit } from './reverse';

/** A test payment whose credit is still in a wallet. */
export type TestCredit = {
  topupId: string;
  userId: string;
  email: string;
  /** The part of the credit that was not refunded or deleted, in integer USD cents. */
  amountCents: number;
  paidAt: Date | null;
};

type Found = TestCredit & {
  topup: typeof topups.$inferSelect;
  paymentReference: string;
};

/** Lists the credits that a switch of the provider to live mode reverses, oldest first. */
export async function listTestCredits(provider: PaymentProviderName): Promise<TestCredit[]> {
  const found = await findCredits(db(), provider);
  return found.map(({ topup: _, paymentReference: __, ...credit }) => credit);
}

/**
 * Reverses every test credit in wallets, in the transaction that switches the provider to live mode. Each is booked as
 * a refund of the whole payment. A test payment that is settled concurrently waits for the lock on the mode's row and
 * is then posted to suspense.
 * @param confirmedCents the sum of the credits that the admin confirmed, in USD cents; undefined without a confirmation
 * @returns the number of reversed credits
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
  const credits = await findCredits(tx, provider, true);
  await requireNoRefunds(tx, provider);
  if (credits.length === 0) return 0;
  const name = providerNames[provider];
  const sumCents = credits.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const sum = formatUsd(sumCents);
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
  const references = new Map<string, string>();
  for (const { topup, paymentReference } of credits) {
    const reference = await reverseTestCredit(tx, actor, topup, paymentReference);
    if (reference !== null) references.set(topup.id, reference);
  }
  await requireCreditsHeld(tx, provider, { credits, references });
  return credits.length;
}

/** Throws while refunds of test payments are in progress: one that failed later would return test money to a wallet. */
async function requireNoRefunds(tx: Executor, provider: PaymentProviderName): Promise<void> {
  const open = await tx
    .select({ id: sourceRefunds.id })
    .from(sourceRefunds)
    .where(
      and(eq(sourceRefunds.provider, provider), ne(sourceRefunds.mode, 'live'), eq(sourceRefunds.state, 'processing')),
    );
  if (open.length === 0) return;
  throw new AppError(
    'conflict',
    `${open.length === 1 ? 'A refund of a test payment is' : `${open.length} refunds of test payments are`} in progress. Wait for ${open.length === 1 ? 'its result' : 'their results'}, then switch to live mode again. Nothing was changed.`,
  );
}

/** Throws when a wallet owes money after the reversal, which rolls back the switch. */
async function requireCreditsHeld(
  tx: Executor,
  provider: PaymentProviderName,
  { credits, references }: { credits: readonly Found[]; references: ReadonlyMap<string, string> },
): Promise<void> {
  const keyOf = (topupId: string) => `${provider}:refund:${references.get(topupId)}:owed`;
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
  const debtors = [...byEmail].map(([email, cents]) => `${email} (${formatUsd(cents)})`);
  const shown = debtors.slice(0, 10).join(', ');
  throw new AppError(
    'conflict',
    `Test money was spent by ${shown}${debtors.length > 10 ? ` and ${debtors.length - 10} others` : ''}. Refund the orders it paid for, then switch to live mode again. Nothing was changed.`,
  );
}

async function findCredits(tx: Executor, provider: PaymentProviderName, forUpdate = false): Promise<Found[]> {
  const query = tx
    .select({ topup: topups, email: accounts.email })
    .from(topups)
    .innerJoin(accounts, eq(accounts.id, topups.accountId))
    .where(
      and(
        eq(topups.provider, provider),
        ne(topups.mode, 'live'),
        inArray(topups.status, ['paid', 'disputed', 'refunded']),
      ),
    )
    .orderBy(asc(topups.paidAt), asc(topups.id));
  const rows = await (forUpdate ? query.for('no key update', { of: topups }) : query);
  const found: Found[] = [];
  for (const { topup, email } of rows) {
    const { id: topupId, accountId: userId, paymentReference, paidAt } = topup;
    if (paymentReference === null) continue;
    const payment = await findPayment(tx, provider, paymentReference);
    // An admin already removed a deleted credit from the wallet.
    if (payment?.place !== 'wallet') continue;
    const [taken] = await tx
      .select({
        cents: sql<number>`coalesce(sum(${paymentReversals.amountCents}), 0)`.mapWith(Number),
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
    if (amountCents > 0) found.push({ topup, topupId, userId, email, amountCents, paidAt, paymentReference });
  }
  return found;
}
