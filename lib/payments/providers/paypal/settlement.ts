import { z } from 'zod';
import type { SettlementType } from '@/db/schema/settlement';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import type { SettlementReader, StatementLine } from '@/lib/payments/providers/settlement-reader';
import { dayMs } from '@/lib/platform/durations';
import { type PayPalCall, payPalMoney } from './client';

const pageSize = 100;
/** PayPal returns spans of at most 31 days, within the last three years. */
const maxSpanMs = 31 * dayMs;
const retentionMs = 3 * 365 * dayMs - dayMs;
/** A transaction appears up to three hours late; one day adds a margin. */
const overlapMs = dayMs;
/** A transaction that is pending for longer is no longer waited for. */
const maxPendingMs = 30 * dayMs;

/**
 * The meaning of PayPal's event codes, by code and then by group.
 * https://developer.paypal.com/docs/transaction-search/transaction-event-codes/
 */
const codes: Readonly<Record<string, SettlementType>> = {
  T1101: 'payout_failure',
  T1104: 'payout_failure',
  T1107: 'refund',
  T1108: 'fee',
  T1109: 'fee',
  T0104: 'seller_payout_fee',
};
/** Payouts to sellers: sent, and returned by PayPal or by the recipient. A payout that we receive is a payment. */
const sentCodes: Readonly<Record<string, SettlementType>> = { T0001: 'seller_payout' };
const returnedCodes: Readonly<Record<string, SettlementType>> = {
  T1114: 'seller_payout_return',
  T1115: 'seller_payout_return',
};
/**
 * PayPal holds the sum of a batch of payouts and their fees while it processes it (T1503), and releases it afterwards
 * (T1105). No money moves, and a hold that is pending is not waited for.
 */
const holds = new Set(['T1503', 'T1105']);
const groups: Readonly<Record<string, SettlementType>> = {
  T00: 'charge',
  T01: 'fee',
  T02: 'conversion',
  T03: 'payout',
  T04: 'payout',
  T11: 'dispute',
  T12: 'dispute',
};

/** A signed PayPal `money` object. */
const signedMoney = z
  .object({ currency_code: z.string(), value: z.string() })
  .transform(({ currency_code, value }) => ({
    isNegative: value.startsWith('-'),
    money: { currency_code, value: value.replace(/^-/, '') },
  }))
  .pipe(z.object({ isNegative: z.boolean(), money: payPalMoney }))
  .transform(({ isNegative, money: { amountMinor, currency } }) => ({
    amountMinor: isNegative ? 0 - amountMinor : amountMinor,
    currency,
  }));
const moment = z.iso.datetime({ offset: true }).or(z.string().regex(/[+-]\d{4}$/));

const transactionSchema = z.object({
  transaction_id: z.string().min(1),
  transaction_event_code: z.string().min(3),
  transaction_status: z.string(),
  transaction_initiation_date: moment.transform(toDate),
  transaction_amount: signedMoney,
  fee_amount: signedMoney.optional(),
  paypal_reference_id: z.string().optional(),
  paypal_reference_id_type: z.string().optional(),
  custom_field: z.string().optional(),
});
const pageSchema = z.object({
  transaction_details: z.array(z.object({ transaction_info: transactionSchema })).default([]),
  total_pages: z.int().default(1),
});
type Transaction = z.output<typeof transactionSchema>;

/** Opens PayPal's transaction search. The app at PayPal needs the feature "Transaction search". */
export function payPalSettlement(call: PayPalCall): SettlementReader {
  return {
    earliest: (now) => new Date(now.getTime() - retentionMs),
    nextWindow(readUntil, now) {
      if (readUntil >= now) return null;
      const from = new Date(readUntil.getTime() - overlapMs);
      return { from, until: new Date(Math.min(now.getTime(), from.getTime() + maxSpanMs)) };
    },
    async read({ from, until }, cursor) {
      const query = new URLSearchParams({
        start_date: from.toISOString(),
        end_date: until.toISOString(),
        fields: 'transaction_info',
        page_size: String(pageSize),
        page: cursor ?? '1',
      });
      const path = `/v1/reporting/transactions?${query}`;
      // The SDK has no request for reports.
      const json = await call({ path, verb: 'GET', headers: { 'Content-Type': 'application/json' } });
      const { transaction_details: details, total_pages: pages } = parseProviderPayload('PayPal', pageSchema, json);
      const transactions = details
        .map(({ transaction_info: info }) => info)
        .filter(({ transaction_event_code: code }) => !holds.has(code));
      const page = Number(cursor ?? '1');
      return {
        // Denied transactions moved no money. A payment that was refunded in full keeps status V.
        lines: transactions
          .filter(({ transaction_status: status }) => status === 'S' || status === 'V')
          .map(toStatementLine),
        next: page < pages ? String(page + 1) : null,
        openSince: findOldestPending(transactions, until),
      };
    },
  };
}

function toStatementLine(transaction: Transaction): StatementLine {
  const code = transaction.transaction_event_code;
  const { amountMinor, currency } = transaction.transaction_amount;
  const ofPayout = (amountMinor < 0 ? sentCodes : returnedCodes)[code];
  const type = ofPayout ?? codes[code] ?? groups[code.slice(0, 3)] ?? 'other';
  const isFee = type === 'fee' || type === 'seller_payout_fee';
  const referenced = transaction.paypal_reference_id_type === 'TXN' ? (transaction.paypal_reference_id ?? null) : null;
  return {
    reference: transaction.transaction_id,
    type,
    providerType: code,
    grossMinor: isFee ? 0 : amountMinor,
    // PayPal reports fees as negative amounts.
    feeMinor: 0 - (transaction.fee_amount?.amountMinor ?? 0) - (isFee ? amountMinor : 0),
    currency,
    source: type === 'payout_failure' ? (referenced ?? '') : transaction.transaction_id,
    paymentReference: type === 'charge' ? transaction.transaction_id : referenced,
    topupId: transaction.custom_field ?? null,
    occurredAt: transaction.transaction_initiation_date,
    availableOn: null,
  };
}

function findOldestPending(transactions: readonly Transaction[], until: Date): Date | null {
  const times = transactions
    .filter(({ transaction_status: status }) => status === 'P')
    .map(({ transaction_initiation_date: at }) => at.getTime())
    .filter((at) => at > until.getTime() - maxPendingMs);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Accepts both offset formats of PayPal: +0000 and +00:00. */
function toDate(text: string): Date {
  return new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}
