import { z } from 'zod';
import type { SettlementType } from '@/db/schema/settlement';
import { parseProviderPayload } from '../parse-provider-payload';
import type { SettlementReader, StatementLine } from '../settlement-reader';
import type { PayPalCall } from './client';
import { payPalMoney } from './money';

const dayMs = 24 * 60 * 60 * 1000;
const pageSize = 100;
/** PayPal answers spans of at most 31 days, of the last three years. */
const longestSpanMs = 31 * dayMs;
const keptMs = 3 * 365 * dayMs - dayMs;
/** A transaction appears up to three hours late; a day leaves room for a slow one. */
const overlapMs = dayMs;
/** A transaction that is pending for longer than this is left to the screen at PayPal. */
const longestPendingMs = 30 * dayMs;

/**
 * What PayPal's event codes mean, by code first and then by group.
 * https://developer.paypal.com/docs/transaction-search/transaction-event-codes/
 */
const codes: Readonly<Record<string, SettlementType>> = {
  T1101: 'payout_failure',
  T1104: 'payout_failure',
  T1107: 'refund',
  T1108: 'fee',
  T1109: 'fee',
  T1114: 'other',
  T1115: 'other',
};
const groups: Readonly<Record<string, SettlementType>> = {
  T00: 'charge',
  T01: 'fee',
  T02: 'conversion',
  T03: 'payout',
  T04: 'payout',
  T11: 'dispute',
  T12: 'dispute',
};

/** PayPal's `money` with a sign. */
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

/** PayPal's transaction search. The app at PayPal needs the feature "Transaction search". */
export function payPalSettlement(call: PayPalCall): SettlementReader {
  return {
    earliest: (now) => new Date(now.getTime() - keptMs),
    nextWindow(readUntil, now) {
      if (readUntil >= now) return null;
      const from = new Date(readUntil.getTime() - overlapMs);
      return { from, until: new Date(Math.min(now.getTime(), from.getTime() + longestSpanMs)) };
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
      const told = details.map(({ transaction_info: info }) => info);
      const page = Number(cursor ?? '1');
      return {
        // Denied ones moved nothing. A payment that was refunded in full stays a payment: its status is V.
        lines: told.filter(({ transaction_status: status }) => status === 'S' || status === 'V').map(lineOf),
        next: page < pages ? String(page + 1) : null,
        openSince: oldestPending(told, until),
      };
    },
  };
}

function lineOf(told: Transaction): StatementLine {
  const code = told.transaction_event_code;
  const type = codes[code] ?? groups[code.slice(0, 3)] ?? 'other';
  const { amountMinor, currency } = told.transaction_amount;
  const isFee = type === 'fee';
  const referenced = told.paypal_reference_id_type === 'TXN' ? (told.paypal_reference_id ?? null) : null;
  return {
    reference: told.transaction_id,
    type,
    providerType: code,
    grossMinor: isFee ? 0 : amountMinor,
    // PayPal writes its fees as negative amounts.
    feeMinor: 0 - (told.fee_amount?.amountMinor ?? 0) - (isFee ? amountMinor : 0),
    currency,
    source: type === 'payout_failure' ? (referenced ?? '') : told.transaction_id,
    paymentReference: type === 'charge' ? told.transaction_id : referenced,
    topupId: told.custom_field ?? null,
    occurredAt: told.transaction_initiation_date,
    availableOn: null,
  };
}

function oldestPending(told: readonly Transaction[], until: Date): Date | null {
  const times = told
    .filter(({ transaction_status: status }) => status === 'P')
    .map(({ transaction_initiation_date: at }) => at.getTime())
    .filter((at) => at > until.getTime() - longestPendingMs);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** PayPal writes offsets both as +0000 and as +00:00. */
function toDate(text: string): Date {
  return new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}
