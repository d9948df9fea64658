import type Stripe from 'stripe';
import { z } from 'zod';
import type { SettlementType } from '@/db/schema/settlement';
import { parseProviderPayload } from '../parse-provider-payload';
import type { SettlementReader, StatementLine } from '../settlement-reader';

const hourMs = 60 * 60 * 1000;
const pageSize = 100;
/** Longest span of one window: a long history is read in pieces, each with its own position. */
const longestSpanMs = 31 * 24 * hourMs;
/** Stripe keeps balance transactions; two years cover every payout that can still be open. */
const keptMs = 2 * 365 * 24 * hourMs;

/**
 * Types of Stripe's balance transactions that mean one thing; the others go by their reporting category, or are `other`.
 * https://docs.stripe.com/reports/balance-transaction-types
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
 * Stripe's balance transactions, newest first in a window, with the charge, refund, dispute or payout of each expanded.
 * A restricted key needs read access to balance transactions and to these objects.
 * @param answered turns the SDK's errors into ProviderErrors
 */
export function stripeSettlement(
  stripe: Stripe,
  answered: <T>(call: () => Promise<T>) => Promise<T>,
): SettlementReader {
  return {
    earliest: (now) => new Date(now.getTime() - keptMs),
    nextWindow(readUntil, now) {
      if (readUntil >= now) return null;
      const from = new Date(readUntil.getTime() - hourMs);
      return { from, until: new Date(Math.min(now.getTime(), from.getTime() + longestSpanMs)) };
    },
    async read({ from, until }, cursor) {
      const answer = await answered(() =>
        stripe.balanceTransactions.list({
          limit: pageSize,
          created: { gte: seconds(from), lte: seconds(until) },
          expand: ['data.source'],
          ...(cursor !== null && { starting_after: cursor }),
        }),
      );
      const { data, has_more: hasMore } = parseProviderPayload('Stripe', pageSchema, answer);
      return { lines: data.map(lineOf), next: hasMore ? (data.at(-1)?.id ?? null) : null, openSince: null };
    },
  };
}

function lineOf(told: z.output<typeof transactionSchema>): StatementLine {
  const type = types[told.type] ?? categories[told.reporting_category] ?? 'other';
  const source = typeof told.source === 'string' ? { id: told.source } : told.source;
  const intent = source && 'payment_intent' in source ? source.payment_intent : null;
  const paymentReference = typeof intent === 'string' ? intent : (intent?.id ?? null);
  const isFee = type === 'fee';
  return {
    reference: told.id,
    type,
    providerType: told.type,
    // A fee of its own is told as a negative amount.
    grossMinor: isFee ? 0 : told.amount,
    feeMinor: isFee ? -told.net : told.fee,
    currency: told.currency.toUpperCase(),
    source: source?.id ?? '',
    paymentReference,
    topupId: (source && 'metadata' in source && source.metadata?.topup_id) || null,
    occurredAt: new Date(told.created * 1000),
    availableOn: new Date(told.available_on * 1000),
  };
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
