import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import type { paymentReversals } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { postTransfer } from '@/lib/ledger/post-transfer';
import { settleReceivable } from '@/lib/ledger/receivables';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import type { Topup } from '@/lib/payments/top-ups/queries';
import { returnedKey, returnedPosting, type SourceRefund } from './postings';
import { moveRefund } from './transition';

/**
 * Finds our own refund that a provider's refund names, and locks it: by the id that we sent, or by the provider's id once
 * it is known. A provider's refund of another amount is not ours: then the money of our refund returns to the wallet,
 * and the other one is booked like a refund that was made in the provider's dashboard.
 */
export async function findOwnRefund(tx: Executor, actor: AnyActor, topup: Topup, evidence: ReversalEvidence) {
  if (evidence.kind !== 'refund') return null;
  const [own] = await tx
    .select()
    .from(sourceRefunds)
    .where(
      and(
        eq(sourceRefunds.topupId, topup.id),
        eq(sourceRefunds.paymentReference, evidence.paymentReference),
        eq(sourceRefunds.mode, evidence.mode),
        inArray(sourceRefunds.money, ['held', 'sent']),
        or(
          eq(sourceRefunds.providerReference, evidence.reference),
          evidence.refundId
            ? and(eq(sourceRefunds.id, evidence.refundId), sql`${sourceRefunds.providerReference} is null`)
            : undefined,
        ),
      ),
    )
    .for('no key update');
  if (!own) return null;
  if (own.money !== 'held') return own;
  if (own.chargeMinor === evidence.amountMinor && own.chargeCurrency === evidence.currency) return own;
  const refunded = formatMoney(evidence.amountMinor, evidence.currency);
  const requested = formatMoney(own.chargeMinor ?? 0, own.chargeCurrency);
  await returnToWallet(tx, actor, own, {
    answer: 'The payment provider refunded another amount.',
    error: `${providerNames[own.provider]} refunded ${refunded} instead of ${requested} (${evidence.reference}).`,
  });
  return null;
}

/**
 * Brings our refund to the state of the provider's one, after its money was booked. Idempotent.
 * @returns whether anything changed
 */
export async function settleSourceRefund(
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  { reversal, evidence }: { reversal: typeof paymentReversals.$inferSelect; evidence: ReversalEvidence },
): Promise<boolean> {
  const name = providerNames[refund.provider];
  const known = { providerReference: reversal.reference, error: evidence.problem ?? '' };
  if (reversal.money === 'returned') {
    const change = { ...known, answer: `${name} could not complete the refund.` };
    if (refund.money === 'held') await returnToWallet(tx, actor, refund, change);
    // The reversal has credited the wallet.
    else
      await moveRefund(tx, actor, refund, {
        to: 'failed',
        what: `failed at ${name} (${reversal.reference})`,
        change: { ...change, money: 'returned' },
      });
    return true;
  }
  if (reversal.money === 'taken' && !evidence.isPending) {
    if (refund.state === 'succeeded') return false;
    await moveRefund(tx, actor, refund, {
      to: 'succeeded',
      what: `succeeded at ${name} (${reversal.reference})`,
      change: { ...known, money: 'sent' },
    });
    return true;
  }
  const money = reversal.money === 'taken' ? ('sent' as const) : refund.money;
  const isSame =
    refund.money === money && refund.providerReference === known.providerReference && refund.error === known.error;
  if (isSame) return false;
  await tx
    .update(sourceRefunds)
    .set({ ...known, money, version: sql`${sourceRefunds.version} + 1` })
    .where(eq(sourceRefunds.id, refund.id));
  return true;
}

/** Ends a refund that the provider did not make: its money returns to the wallet, and pays a debt first. */
export async function returnToWallet(
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  change: Partial<Pick<SourceRefund, 'providerReference' | 'answer' | 'error'>>,
): Promise<void> {
  const failed = await moveRefund(tx, actor, refund, {
    to: 'failed',
    what: `failed: ${change.error || change.answer}`,
    change: { ...change, money: 'returned' },
  });
  const posting = returnedPosting(failed, actor.userId);
  await postTransfer(tx, posting);
  await settleReceivable(tx, failed.accountId, {
    cause: returnedKey(failed),
    actorId: actor.userId,
    ...(posting.meta && { meta: posting.meta }),
  });
}
