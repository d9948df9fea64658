import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { providerModes } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { formatMoney, walletCurrency } from '@/lib/money';
import { ProviderRefusal } from '@/lib/payments/providers/provider';
import { payoutNotFoundError } from '@/lib/payouts/move-payout';
import { recordAudit } from '@/lib/platform/audit/record';
import { applyPayoutEvidence } from './apply-evidence';
import { openPayoutRail } from './rail';

/**
 * Cancels a payout that its recipient has not claimed at PayPal. Its amount returns to the seller's balance. The
 * attempt is in the audit log before the request, and a repeat is harmless.
 * @throws AppError not_found; forbidden for the actor's own payout; conflict for a payout that is not unclaimed, also by
 * PayPal's own state; provider_failed when PayPal does not respond
 */
export async function cancelUnclaimedPayout(actor: Actor, id: string): Promise<void> {
  const { payout, mode } = await db().transaction(async (tx) => {
    const [found] = await tx
      .select({ payout: payouts, mode: payoutBatches.mode })
      .from(payouts)
      .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
      .where(eq(payouts.id, id));
    if (!found) throw payoutNotFoundError();
    requireNotOwn(actor, found.payout.sellerId, 'cancel your own payout');
    if (found.payout.state !== 'sent' || found.payout.providerStatus !== 'UNCLAIMED') {
      throw new AppError('conflict', 'Only a payout that waits for its recipient at PayPal can be canceled.');
    }
    await recordAudit(tx, actor, {
      action: 'payout.cancel_requested',
      details: `The unclaimed payout of ${formatMoney(found.payout.amountCents, walletCurrency)} is canceled at PayPal.`,
      entityType: 'payout',
      entityId: id,
      amountCents: found.payout.amountCents,
    });
    return found;
  });
  const rail = await openPayoutRail(providerModes.find((one) => one === mode));
  try {
    await applyPayoutEvidence(actor, id, await rail.cancelUnclaimed(payout.providerReference ?? ''));
  } catch (thrown) {
    if (!(thrown instanceof ProviderRefusal) || thrown.httpStatus >= 500) throw thrown;
    throw new AppError('conflict', `PayPal did not cancel the payout (${thrown.reason}). Reload the page in a minute.`);
  }
}
