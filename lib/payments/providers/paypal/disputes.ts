import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { parseProviderPayload } from '../parse-provider-payload';
import { ProviderError, ProviderRefusal, type ReversalEvidence } from '../provider';
import { type PayPalCall, PayPalRefusal } from './client';
import { findCapture, payPalTime, requireSame, topupOfCapture } from './evidence';
import { payPalMoney } from './money';

/** Money that moved for a dispute: PayPal writes it in two ways, of which the older one is going away. */
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
 * `outcome_code` of PayPal's Customer Disputes v1. A dispute that PayPal paid itself, that the buyer canceled or that was
 * denied leaves the money with the seller; `NONE` is no outcome yet.
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
 * What a dispute says. It moves no money by itself: what PayPal takes for it is told by `PAYMENT.CAPTURE.REVERSED`, under
 * another name. That this came back, PayPal tells nobody: a dispute that was won is asked for it.
 * @throws ProviderError when it is no dispute, PayPal does not answer, or does not let the account read disputes
 */
export async function disputeEvidence(id: string, mode: ProviderMode, call: PayPalCall): Promise<ReversalEvidence> {
  const told = await findDispute(id, call).catch((thrown: unknown) => {
    if (!(thrown instanceof PayPalRefusal) || thrown.httpStatus !== 403) throw thrown;
    const reason = 'PayPal does not let this account read disputes: switch on "Disputes" for the application at PayPal';
    throw new ProviderRefusal(reason, 403, { cause: thrown });
  });
  const [transaction] = told.disputed_transactions;
  const paymentReference = transaction?.seller_transaction_id ?? '';
  const outcome = outcomeOf(told);
  return {
    about: 'reversal',
    kind: 'dispute',
    reference: told.dispute_id,
    paymentReference,
    topupId: transaction?.custom ?? (await topupOfCapture(paymentReference, call)),
    mode,
    ...told.dispute_amount,
    money: 'kept',
    outcome,
    dispute: { reason: told.reason ?? null, evidenceDueBy: told.seller_response_due_date ?? null },
    ...(outcome === 'won' && { givenBack: creditOf(told) }),
    ...(outcome !== null && told.update_time && { happenedAt: told.update_time }),
  };
}

/** A dispute has an outcome once it is resolved; an appeal opens it again. @throws ProviderError for an unknown one */
function outcomeOf({ status, dispute_outcome: ending }: Dispute): ReversalEvidence['outcome'] {
  if (status && status !== 'RESOLVED') return null;
  const code = ending?.outcome_code ?? 'NONE';
  const outcome = outcomes.get(code);
  if (outcome === undefined) throw new ProviderError(`PayPal's dispute has an unknown outcome: ${code}`);
  return outcome;
}

/** The SDK has no request for disputes. */
async function findDispute(id: string, call: PayPalCall): Promise<Dispute> {
  const path = `/v1/customer/disputes/${encodeURIComponent(id)}`;
  const answer = await call({ path, verb: 'GET', headers: { 'Content-Type': 'application/json' } });
  const dispute = parseProviderPayload('PayPal', disputeSchema, answer);
  requireSame('dispute', dispute.dispute_id, id);
  return dispute;
}

/**
 * What PayPal gave back for a dispute: all by a capture that is whole again; otherwise by the dispute's own movements.
 * @returns null where it does not say, as to an account that may not read disputes
 * @throws ProviderError when PayPal does not answer
 */
export async function findGivenBack(
  { reference, paymentReference }: { reference: string; paymentReference: string },
  call: PayPalCall,
): Promise<number | 'all' | null> {
  if ((await findCapture(paymentReference, call))?.status === 'COMPLETED') return 'all';
  return creditOf(await readable(reference, call));
}

/** What the seller got back for the dispute; null where nothing is told of it. Fees are not the buyer's. */
function creditOf(told: Dispute | null): number | null {
  const movements =
    told?.fund_movements ?? told?.money_movements?.map(({ affected_party: party, ...rest }) => ({ party, ...rest }));
  const credits = (movements ?? []).filter(
    ({ party, type, reason, amount }) =>
      party === 'SELLER' &&
      type === 'CREDIT' &&
      (reason ?? 'DISPUTE_SETTLEMENT') === 'DISPUTE_SETTLEMENT' &&
      amount.currency === told?.dispute_amount.currency,
  );
  return credits.length === 0 ? null : credits.reduce((sum, { amount }) => sum + amount.amountMinor, 0);
}

/** Null for an account that may not read disputes: that has to be switched on at PayPal. */
async function readable(reference: string, call: PayPalCall): Promise<Dispute | null> {
  try {
    return await findDispute(reference, call);
  } catch (thrown) {
    if (thrown instanceof PayPalRefusal && (thrown.httpStatus === 403 || thrown.httpStatus === 404)) return null;
    throw thrown;
  }
}
