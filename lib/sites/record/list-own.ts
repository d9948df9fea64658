import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
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

/** Lists a page of a seller's own listings that have orders in the last 12 months, the most ordered first. */
export async function listOwnRecords(
  sellerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListingRecord[]; total: number }> {
  const own = and(eq(sites.ownerId, sellerId), isNull(sites.deletedAt), gt(fulfilmentRecords.orders, 0));
  const from = () => db().select().from(fulfilmentRecords).innerJoin(sites, eq(sites.id, fulfilmentRecords.siteId));
  const [rows, [counted]] = await Promise.all([
    from().where(own).orderBy(desc(fulfilmentRecords.orders), desc(sites.id)).limit(limit).offset(offset),
    db()
      .select({ total: count() })
      .from(fulfilmentRecords)
      .innerJoin(sites, eq(sites.id, fulfilmentRecords.siteId))
      .where(own),
  ]);
  return {
    rows: rows.map(({ sites: { id, name, url }, fulfilment_records: found }) => {
      const { orders, accepted, reliability, acceptedInTime, deliveredInTime, medianDays } = found;
      const { revisionsPerOrder, disputesLost, alive } = found;
      const record = { orders, acceptedInTime, deliveredInTime, medianDays, revisionsPerOrder, disputesLost, alive };
      return { id, name, url, orders, accepted, reliability, record: orders < leastCases ? null : record };
    }),
    total: counted?.total ?? 0,
  };
}
