import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { fulfilmentRecords, recordMarks } from '@/db/schema/records';
import { type FulfilmentRecord, recordResponse } from '@/lib/sites/responses';
import { type ComputedRecord, computeRecords, leastCases, type Subjects } from './compute';
import { getRecordDay, smallRecord } from './refresh';

/** Returns the record of a listing in the last 12 months; null below five orders. */
export async function getListingRecord(siteId: number): Promise<FulfilmentRecord | null> {
  const record = await findRecord({ kind: 'site', ids: [siteId] });
  return record && recordView(record);
}

/** Returns the record of a seller in the last 12 months, from the orders that staff did not fulfill in the seller's place. */
export async function getSellerRecord(sellerId: string): Promise<SellerRecord> {
  return sellerRecordView(await findRecord({ kind: 'seller', ids: [sellerId] }));
}

/** The record of a seller, as an API returns it to the seller and to staff. */
export const sellerRecordResponse = z.object({
  record: recordResponse.nullable().describe('Null below five orders.'),
  orders: z.int().describe('The orders of the last 12 months that count, also below five.'),
  accepted: z.int().describe('Those of them that were accepted.'),
  reliability: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'The lower bound (95 %) of the chance that an accepted order is delivered in time and its link lives for 90 days; null below five orders.',
    ),
});
export type SellerRecord = z.output<typeof sellerRecordResponse>;

/** Returns the record of a seller; null for one without orders. */
export const sellerRecordView = (record: ComputedRecord | null): SellerRecord => ({
  record: record && recordView(record),
  orders: record?.orders ?? 0,
  accepted: record?.accepted ?? 0,
  reliability: record?.reliability ?? null,
});

/** Returns the figures of a record; null below five orders. */
function recordView(computed: ComputedRecord): FulfilmentRecord | null {
  const { orders, acceptedInTime, deliveredInTime, medianDays, revisionsPerOrder, disputesLost, alive } = computed;
  if (orders < leastCases) return null;
  return { orders, acceptedInTime, deliveredInTime, medianDays, revisionsPerOrder, disputesLost, alive };
}

/** Reads the stored record, or computes a small one that changed since; `refreshRecords` computes a large one. */
async function findRecord(subjects: Subjects): Promise<ComputedRecord | null> {
  const [id] = subjects.ids;
  if (id === undefined) return null;
  const day = getRecordDay();
  const ofSubject = sql`${sql.raw(subjects.kind === 'site' ? 'site_id' : 'seller_id')} = ${id}`;
  const [[record], [mark]] = await Promise.all([
    db().select().from(fulfilmentRecords).where(ofSubject),
    db().select({ id: recordMarks.id }).from(recordMarks).where(ofSubject).limit(1),
  ]);
  const isCurrent = mark === undefined && (record === undefined || record.day === day);
  if (isCurrent || (record && record.orders > smallRecord)) return record ?? null;
  return (await computeRecords(db(), subjects, day)).get(String(id)) ?? null;
}
