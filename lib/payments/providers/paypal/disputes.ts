import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { ProviderError, ProviderRefusal, type ReversalEvidence } from '@/lib/payments/providers/provider';
import { parseProviderPayload, unlessRefused } from '@/lib/payments/providers/provider-calls';
import { type PayPalCall, PayPalRefusal, payPalMoney } from './client';
import { findCapture, findTopupIdOfCapture, payPalTime, requireSameId } from './evidence';

/** Money moved for a dispute. PayPal sends `fund_movements`, or the deprecated `money_movements`. */
const fundSchema = z.object({ party: z.string(), amount: payPalMoney, type: z.string(), reason: z.string().nullish() });
const moneySchema = fundSchema.omit({ party: true }).extend({ affected_party: z.string() });
const disputeSchema = z.object({
  dispute_id: z.string().min(1),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: z.string().min(1), custom: z.string().nullish() }))
    .min(1),
  dispute_amount: payPalMoney,
  update_time: payPalTime,
  reason: z.string().nullish(),
  seller_response_due_date: payPalTime,
  status: z.string().nullish(),
  dispute_outcome: z.object({ outcome_code: z.string().nullish() }).nullish(),
  fund_movements: z.array(fundSchema).optional(),
  money_movements: z.array(moneySchema).optional(),
});
type Dispute = z.output<typeof disputeSchema>;

/**
 * `outcome_code` of PayPal's Customer Disputes v1. The seller keeps the money of a dispute that PayPal paid, that the
 * buyer canceled or that was denied; `NONE` means that there is no outcome yet.
 */
const outcomes = new Map<string, ReversalEvidence['outcome']>([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
  ['NONE', null],
]);

/**
 * Returns the evidence of a dispute. The dispute itself moves no money: PayPal reports the withdrawal by
 * `PAYMENT.CAPTURE.REVERSED` with another id, and sends no event when it reinstates the money. So the amount is
 * retrieved for a dispute that was won.
 * @throws ProviderError when the object is not a dispute, PayPal does not respond, or the account may not read disputes
 */
export async function getDisputeEvidence(id: string, mode: ProviderMode, call: PayPalCall): Promise<ReversalEvidence> {
  const dispute = await findDispute(id, call).catch((thrown: unknown) => {
    if (!(thrown instanceof PayPalRefusal) || thrown.httpStatus !== 403) throw thrown;
    const reason = 'PayPal does not let this account read disputes: turn on "Disputes" for the app at PayPal';
    throw new ProviderRefusal(reason, 403, { cause: thrown });
  });
  const [transaction] = dispute.disputed_transactions;
  const paymentReference = transaction?.seller_transaction_id ?? '';
  const outcome = parseOutcome(dispute);
  return {
    about: 'reversal',
    kind: 'dispute',
    reference: dispute.dispute_id,
    paymentReference,
    topupId: transaction?.custom ?? (await findTopupIdOfCapture(paymentReference, call)),
    mode,
    ...dispute.dispute_amount,
    money: 'kept',
    outcome,
    dispute: { reason: dispute.reason ?? null, evidenceDueBy: dispute.seller_response_due_date ?? null },
    ...(outcome === 'won' && { returnedMinor: sumSellerCredits(dispute) }),
    ...(outcome !== null && dispute.update_time && { happenedAt: dispute.update_time }),
  };
}

/** Returns the outcome of a resolved dispute; an appeal reopens it. @throws ProviderError for an unknown outcome */
function parseOutcome({ status, dispute_outcome: ending }: Dispute): ReversalEvidence['outcome'] {
  if (status && status !== 'RESOLVED') return null;
  const code = ending?.outcome_code ?? 'NONE';
  const outcome = outcomes.get(code);
  if (outcome === undefined) throw new ProviderError(`PayPal's dispute has an unknown outcome: ${code}`);
  return outcome;
}

/** Retrieves a dispute. The SDK has no request for it. */
async function findDispute(id: string, call: PayPalCall): Promise<Dispute> {
  const path = `/v1/customer/disputes/${encodeURIComponent(id)}`;
  const response = await call({ path, verb: 'GET', headers: { 'Content-Type': 'application/json' } });
  const dispute = parseProviderPayload('PayPal', disputeSchema, response);
  requireSameId('dispute', dispute.dispute_id, id);
  return dispute;
}

/**
 * Returns the amount that PayPal reinstated for a dispute: `all` when the capture is complete again, otherwise the sum
 * of the dispute's credits.
 * @returns null when PayPal does not state it, as for an account that may not read disputes
 * @throws ProviderError when PayPal does not respond
 */
export async function findReturnedAmount(
  { reference, paymentReference }: { reference: string; paymentReference: string },
  call: PayPalCall,
): Promise<number | 'all' | null> {
  if ((await findCapture(paymentReference, call))?.status === 'COMPLETED') return 'all';
  // An account may read disputes only after the feature was enabled at PayPal.
  return sumSellerCredits(await unlessRefused(findDispute(reference, call), 403, 404));
}

/**
 * Returns the sum credited to the seller for the dispute, or null when PayPal lists no credit. Fees are not part of the
 * buyer's payment.
 */
function sumSellerCredits(dispute: Dispute | null): number | null {
  const movements =
    dispute?.fund_movements ??
    dispute?.money_movements?.map(({ affected_party: party, ...rest }) => ({ party, ...rest }));
  const credits = (movements ?? []).filter(
    ({ party, type, reason, amount }) =>
      party === 'SELLER' &&
      type === 'CREDIT' &&
      (reason ?? 'DISPUTE_SETTLEMENT') === 'DISPUTE_SETTLEMENT' &&
      amount.currency === dispute?.dispute_amount.currency,
  );
  return credits.length === 0 ? null : credits.reduce((sum, { amount }) => sum + amount.amountMinor, 0);
}
