import type { z } from 'zod';
import type { Reader } from '@/db/snapshot';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { adminDisputeView, disputesQuery, formatDisputeReason } from './contract';
import { streamDisputes } from './queries';

const batchSize = 250;

/** The filters of the list of disputes. */
export const disputesFilter = disputesQuery.pick({ state: true, reason: true, openedBy: true, q: true });

const columns: readonly CsvColumn<ReturnType<typeof adminDisputeView>>[] = [
  ['Order', ({ orderId }) => orderId],
  ['Opened (UTC)', ({ createdAt }) => createdAt],
  ['Website', ({ website }) => website],
  ['Buyer', ({ userName }) => userName],
  ['Buyer Email', ({ userEmail }) => userEmail],
  ['Seller', ({ sellerName }) => sellerName],
  ['Seller Email', ({ sellerEmail }) => sellerEmail],
  ['Opened By', ({ openedBy }) => openedBy],
  ['Reason', ({ reason }) => formatDisputeReason(reason)],
  ['Text', ({ text }) => text],
  ['Amount (USD)', ({ amountCents }) => toDecimalString(amountCents)],
  ['Proposals', ({ proposals }) => proposals.map(({ by, buyerPercent }) => `${by} ${buyerPercent} %`).join(', ')],
  ['State', ({ state }) => state],
  ['To the Buyer (%)', ({ buyerPercent }) => buyerPercent],
  ['Decided (UTC)', ({ decidedAt }) => decidedAt],
];

/** Generates the filtered list of disputes as CSV (RFC 4180), the newest first, in batches. */
export const exportDisputes = (filter: z.output<typeof disputesFilter>, on?: Reader): AsyncGenerator<string> =>
  generateCsv(columns, viewDisputes(filter, on));

async function* viewDisputes(filter: z.output<typeof disputesFilter>, on?: Reader) {
  for await (const rows of streamDisputes(filter, batchSize, on)) yield rows.map(adminDisputeView);
}
