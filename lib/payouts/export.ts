import type { z } from 'zod';
import type { Reader } from '@/db/snapshot';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { type AdminPayoutRow, adminPayoutsQuery } from './contract';
import { streamPayouts } from './queries';

const batchSize = 250;

/** The filters of the list of payouts. */
export const payoutsFilter = adminPayoutsQuery.pick({ state: true, q: true });

const columns: readonly CsvColumn<AdminPayoutRow>[] = [
  ['ID', ({ id }) => id],
  ['Requested (UTC)', ({ createdAt }) => createdAt.toISOString()],
  ['Seller', ({ sellerName }) => sellerName],
  ['Email', ({ sellerEmail }) => sellerEmail],
  ['Method', ({ methodKind }) => methodKind],
  ['Account Ends In', ({ lastFour }) => lastFour],
  ['Amount (USD)', ({ amountCents }) => toDecimalString(amountCents)],
  ['Fee (USD)', ({ feeCents }) => toDecimalString(feeCents)],
  ['Seller Receives (USD)', ({ amountCents, feeCents }) => toDecimalString(amountCents - feeCents)],
  ['State', ({ state }) => state],
  ['Check', ({ state, risks }) => (state === 'requested' ? risks.join(', ') : null)],
  ['Approved By', ({ approverEmail }) => approverEmail],
  ['Reference', ({ reference }) => reference],
  ['Reason', ({ reason }) => reason],
];

/** Generates the filtered list of payouts as CSV (RFC 4180), the newest first, in batches. */
export const exportPayouts = (filter: z.output<typeof payoutsFilter>, on?: Reader): AsyncGenerator<string> =>
  generateCsv(columns, streamPayouts(filter, batchSize, on));
