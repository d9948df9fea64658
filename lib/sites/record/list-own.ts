import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { type CappedCount, countUpTo } from '@/db/count-up-to';
import { fulfilmentRecords } from '@/db/schema/records';
import { sites } from '@/db/schema/sites';
import type { FulfilmentRecord } from '@/lib/sites/responses';
import { leastCases } from './compute';

/** A listing of a seller with its record. */
export type ListingRecord = {
  id: number;
  name: string;
  url: string;
  orders: number;
  accepted: number;
  /** From 0 to 1; null below five orders. */
  reliability: number | null;
  /** Null below five orders. */
  record: FulfilmentRecord | null;
};

/**
 * Lists a page of a seller's own listings that have orders in the last 12 months, the most ordered first, with their
 * number up to a cap. The page is found without reading the other columns of its sites.
 */
export async function listOwnRecords(
  sellerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListingRecord[] } & CappedCount> {
  const records = () =>
    db()
      .select({ siteId: fulfilmentRecords.siteId })
      .from(fulfilmentRecords)
      .innerJoin(sites, eq(sites.id, fulfilmentRecords.siteId))
      .where(and(eq(sites.ownerId, sellerId), isNull(sites.deletedAt), gt(fulfilmentRecords.orders, 0)));
  const mostOrdered = [desc(fulfilmentRecords.orders), desc(fulfilmentRecords.siteId)];
  const found = records()
    .orderBy(...mostOrdered)
    .limit(limit)
    .offset(offset)
    .as('found');
  const [rows, counted] = await Promise.all([
    db()
      .select({ id: sites.id, name: sites.name, url: sites.url, found: fulfilmentRecords })
      .from(found)
      .innerJoin(fulfilmentRecords, eq(fulfilmentRecords.siteId, found.siteId))
      .innerJoin(sites, eq(sites.id, found.siteId))
      .orderBy(...mostOrdered),
    countUpTo((most) => records().limit(most)),
  ]);
  return {
    rows: rows.map(({ id, name, url, found: stored }) => {
      const { orders, accepted, reliability, acceptedInTime, deliveredInTime, medianDays } = stored;
      const { revisionsPerOrder, disputesLost, alive } = stored;
      const record = { orders, acceptedInTime, deliveredInTime, medianDays, revisionsPerOrder, disputesLost, alive };
      return { id, name, url, orders, accepted, reliability, record: orders < leastCases ? null : record };
    }),
    ...counted,
  };
}
