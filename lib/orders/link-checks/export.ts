import type { z } from 'zod';
import type { Reader } from '@/db/snapshot';
import { describeReason } from '@/lib/links/describe-reason';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { streamWatches, type WatchRow, watchesQuery, watchView } from './queries';

const batchSize = 250;

/** The filter of the list of link checks. */
export const watchesFilter = watchesQuery.pick({ verdict: true });

const columns: readonly CsvColumn<ReturnType<typeof watchView>>[] = [
  ['Order', ({ orderId }) => orderId],
  ['Website', ({ website, packageName }) => website || packageName],
  ['Buyer Email', ({ buyerEmail }) => buyerEmail],
  ['Fulfilled By', ({ fulfilledBy }) => fulfilledBy],
  ['Page', ({ pageUrl }) => pageUrl],
  ['Target', ({ targetUrl }) => targetUrl],
  ['Result', ({ verdict }) => verdict],
  ['Findings', ({ reasons }) => reasons.map(describeReason).join(' ')],
  ['Checked (UTC)', ({ checkedAt }) => checkedAt],
  ['Not In Order Since (UTC)', ({ notOkSince }) => notOkSince],
  ['Repair Due (UTC)', ({ repairDueAt }) => repairDueAt],
];

/** Generates the filtered list of checked links as CSV (RFC 4180), the newest order first, in batches. */
export const exportWatches = (filter: z.output<typeof watchesFilter>, on?: Reader): AsyncGenerator<string> =>
  generateCsv(columns, viewWatches(streamWatches(filter.verdict, batchSize, on)));

async function* viewWatches(batches: AsyncIterable<readonly WatchRow[]>) {
  for await (const rows of batches) yield rows.map(watchView);
}
