import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { type Approval, ApprovalRequired, requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { postTransfer } from '@/lib/ledger/post-transfer';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { Topup } from '@/lib/payments/top-ups/find-topup';
import { secondsFromNow } from '@/lib/platform/leases';
import { exceedsRefundLimit, isRefundOfOwnCredit } from '@/lib/approvals/limit';
import { moveRefund } from './move';
import { heldPosting, type SourceRefund } from './postings';
import { computeChargeMinor, findRefundable, requireRefundable } from './refundable';

/** The time that the caller has for the first call to the provider, before the job makes it. */
const firstCallSeconds = 60;

/**
 * Starts a requested refund: takes its amount from the wallet in the caller's transaction, which commits before the
 * provider is called. Call it last. Holds the top-up's row lock.
 * @param subject the subject of the request for approval, if a second person is needed
 * @param approval set when a second person approved it
 * @throws ApprovalRequired above the limit of one person, and for a wallet that the actor alone credited manually
 * @throws AppError forbidden for the actor's own wallet, conflict with the reason when nothing can be refunded,
 * invalid_input for an amount that is not there
 */
export async function startRefund(
  tx: Executor,
  actor: Actor,
  { topup, refund }: { topup: Topup; refund: SourceRefund },
  options: { subject: string; payload: { refundId: string | null; key: string | null }; approval?: Approval },
): Promise<SourceRefund> {
  requireNotOwn(actor, refund.userId, 'refund your own wallet');
  const { amountCents, currency } = refund;
  const refundable = requireRefundable(await findRefundable(tx, topup), amountCents, currency);
  const chargeMinor = computeChargeMinor(topup, refundable, amountCents);
  const { approval } = options;
  const needsSecond = async () =>
    (await exceedsRefundLimit(tx, actor, amountCents)) || (await isRefundOfOwnCredit(tx, actor, refund.userId));
  if (!approval && (await needsSecond())) {
    throw new ApprovalRequired({
      kind: 'source_refund',
      subject: options.subject,
      payload: { ...options.payload, topupId: topup.id, amountCents, reason: refund.reason },
      summary: await describeRefund(tx, refund),
      amountCents,
      beneficiaryId: refund.userId,
    });
  }
  const started = await moveRefund(tx, actor, refund, {
    to: 'processing',
    what: 'was approved',
    change: {
      money: 'held',
      chargeMinor,
      approvedBy: approval?.requestedBy ?? actor.userId,
      secondApprovedBy: approval ? actor.userId : null,
      attempts: approval ? 0 : 1,
    },
  });
  await tx
    .update(sourceRefunds)
    .set({ nextActionAt: secondsFromNow(approval ? 0 : firstCallSeconds) })
    .where(eq(sourceRefunds.id, refund.id));
  await postTransfer(tx, heldPosting(started, actor.userId)).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') throw thrown;
    // An order or another refund took the money at the same time.
    throw new AppError('conflict', 'The wallet no longer holds this amount. Reload the page.');
  });
  return started;
}

async function describeRefund(tx: Executor, { userId, amountCents, currency, provider, reason }: SourceRefund) {
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const money = formatMoney(amountCents, currency);
  return `Refund ${money} of ${owner?.email ?? userId} to the payment method by ${providerNames[provider]}${reason ? `: ${reason}` : ''}.`;
}
