import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { findCapture, topupOfCapture } from './paypal-capture';
import { type PayPalCall, PayPalRefusal } from './paypal-client';
import { payPalMoney, payPalTime } from './paypal-evidence';
import type { ReversalEvidence } from './provider';
import { understood } from './understood';

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
  dispute_outcome: z.object({ outcome_code: z.string() }).nullish(),
  fund_movements: z.array(fundSchema).optional(),
  money_movements: z.array(moneySchema).optional(),
});
type Dispute = z.output<typeof disputeSchema>;

/** A dispute that ended otherwise (for the seller, called off, paid by PayPal itself) leaves the money with us. */
const lostOutcomes = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']);

/**
 * What a dispute says. It moves no money by itself: what PayPal takes for it is told by `PAYMENT.CAPTURE.REVERSED`, under
 * another name. That this came back, PayPal tells nobody: a dispute that was won is asked for it.
 * @throws ProviderError when it is no dispute, or PayPal does not answer
 */
export async function disputeEvidence(json: unknown, mode: ProviderMode, call: PayPalCall): Promise<ReversalEvidence> {
  const told = understood('PayPal', disputeSchema, json);
  const [transaction] = told.disputed_transactions;
  const paymentReference = transaction?.seller_transaction_id ?? '';
  const ending = told.dispute_outcome?.outcome_code;
  const outcome = ending === undefined ? null : lostOutcomes.has(ending) ? 'lost' : 'won';
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

/** The SDK has no request for disputes. */
export function fetchDispute(reference: string, call: PayPalCall): Promise<unknown> {
  const path = `/v1/customer/disputes/${encodeURIComponent(reference)}`;
  return call({ path, verb: 'GET', headers: { 'Content-Type': 'application/json' } });
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
    ({ party, type, reason }) =>
      party === 'SELLER' && type === 'CREDIT' && (reason ?? 'DISPUTE_SETTLEMENT') === 'DISPUTE_SETTLEMENT',
  );
  return credits.length === 0 ? null : credits.reduce((sum, { amount }) => sum + amount.amountMinor, 0);
}

/** Null for an account that may not read disputes: that has to be switched on at PayPal. */
async function readable(reference: string, call: PayPalCall): Promise<Dispute | null> {
  try {
    return understood('PayPal', disputeSchema, await fetchDispute(reference, call));
  } catch (thrown) {
    if (thrown instanceof PayPalRefusal && (thrown.httpStatus === 403 || thrown.httpStatus === 404)) return null;
    throw thrown;
  }
}
