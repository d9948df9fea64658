import { and, count, desc, eq, isNull, ne, notInArray, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { type OrderStatus, orders } from '../../db/schema/orders';
import type { Page } from '../http/pagination';
import { awaitsDelivery } from '../orders/awaiting';

const listed = (projectId: string) => and(eq(orders.projectId, projectId), isNull(orders.deletedAt));

/** A link that was paid for and stands: what was rejected or paid back is nobody's any more. */
const hasLiveLink = and(ne(orders.linkUrl, ''), notInArray(orders.status, ['Rejected', 'Refunded']));

/** A project's orders in figures. */
export type OrderFigures = { total: number; awaiting: number; liveLinks: number };

export async function getOrderFigures(projectId: string): Promise<OrderFigures> {
  const [row] = await db()
    .select({
      total: count(),
      awaiting: sql<number>`count(*) filter (where ${awaitsDelivery})`.mapWith(Number),
      liveLinks: sql<number>`count(*) filter (where ${hasLiveLink})`.mapWith(Number),
    })
    .from(orders)
    .where(listed(projectId));
  return row ?? { total: 0, awaiting: 0, liveLinks: 0 };
}

export type LiveLinkRow = {
  orderId: number;
  linkUrl: string;
  /** Where it was ordered: the site's address, or the package's name. */
  website: string;
  packageName: string;
  status: OrderStatus;
  updatedAt: Date;
};

/** The links that are live for a project, those of the newest orders first. */
export async function listLiveLinks(
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<LiveLinkRow>> {
  const where = and(listed(projectId), hasLiveLink);
  const [rows, counted] = await Promise.all([
    db()
      .select({
        orderId: orders.id,
        linkUrl: orders.linkUrl,
        website: orders.website,
        packageName: orders.packageName,
        status: orders.status,
        updatedAt: orders.updatedAt,
      })
      .from(orders)
      .where(where)
      .orderBy(desc(orders.id))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(orders).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}
