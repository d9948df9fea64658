import type Stripe from 'stripe';
import { z } from 'zod';
import type { SettlementType } from '@/db/schema/settlement';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import type { SettlementReader, StatementLine } from '@/lib/payments/providers/settlement-reader';
import { hourMs } from '@/lib/platform/durations';

const pageSize = 100;
/** Maximum length of a window: a long history is read in parts, each with a stored position. */
const maxSpanMs = 31 * 24 * hourMs;
/** Two years cover every payout that can still be open. */
const retentionMs = 2 * 365 * 24 * hourMs;

/**
 * Settlement types by Stripe's balance transaction type. Other transactions use their reporting category, or are
 * `other`. https://docs.stripe.com/reports/balance-transaction-types
 */
const types: Readonly<Record<string, SettlementType>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  payment_reversal: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout: 'payout',
  topup: 'payout',
  payout_cancel: 'payout_failure',
  payout_failure: 'payout_failure',
  topup_reversal: 'payout_failure',
};
const categories: Readonly<Record<string, SettlementType>> = {
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  refund: 'refund',
  refund_failure: 'refund',
};

const sourceSchema = z.union([
  z.string(),
  z.object({
    id: z.string(),
    payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
  }),
]);
const transactionSchema = z.object({
  id: z.string().min(1),
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.string().length(3),
  type: z.string(),
  reporting_category: z.string(),
  created: z.int(),
  available_on: z.int(),
  source: sourceSchema.nullable(),
});
const pageSchema = z.object({ data: z.array(transactionSchema), has_more: z.boolean() });

/**
 * Reads Stripe's balance transactions, newest first in a window, with the charge, refund, dispute or payout of each
 * expanded. A restricted key needs read access to balance transactions and to these objects.
 * @param callStripe converts SDK errors to ProviderError
 */
export function stripeSettlement(
  stripe: Stripe,
  callStripe: <T>(call: () => Promise<T>) => Promise<T>,
): SettlementReader {
  return {
    earliest: (now) => new Date(now.getTime() - retentionMs),
    nextWindow(readUntil, now) {
      if (readUntil >= now) return null;
      const from = new Date(readUntil.getTime() - hourMs);
      return { from, until: new Date(Math.min(now.getTime(), from.getTime() + maxSpanMs)) };
    },
    async read({ from, until }, cursor) {
      const response = await callStripe(() =>
        stripe.balanceTransactions.list({
          limit: pageSize,
          created: { gte: toUnixSeconds(from), lte: toUnixSeconds(until) },
          expand: ['data.source'],
          ...(cursor !== null && { starting_after: cursor }),
        }),
      );
      const { data, has_more: hasMore } = parseProviderPayload('Stripe', pageSchema, response);
      return { lines: data.map(toStatementLine), next: hasMore ? (data.at(-1)?.id ?? null) : null, openSince: null };
    },
  };
}

function toStatementLine(transaction: z.output<typeof transactionSchema>): StatementLine {
  const type = types[transaction.type] ?? categories[transaction.reporting_category] ?? 'other';
  const source = typeof transaction.source === 'string' ? { id: transaction.source } : transaction.source;
  const intent = source && 'payment_intent' in source ? source.payment_intent : null;
  const paymentReference = typeof intent === 'string' ? intent : (intent?.id ?? null);
  const isFee = type === 'fee';
  return {
    reference: transaction.id,
    type,
    providerType: transaction.type,
    // A separate fee has a negative amount.
    grossMinor: isFee ? 0 : transaction.amount,
    feeMinor: isFee ? -transaction.net : transaction.fee,
    currency: transaction.currency.toUpperCase(),
    source: source?.id ?? '',
    paymentReference,
    topupId: (source && 'metadata' in source && source.metadata?.topup_id) || null,
    occurredAt: new Date(transaction.created * 1000),
    availableOn: new Date(transaction.available_on * 1000),
  };
}

const toUnixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
