import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { orders } from '../../db/schema/orders';
import { toBuyerStatus } from './buyer-status';
import type { adminOrderResponse, orderResponse } from './responses';

/** An order's row with the file name of its current content. */
export type OrderRow = InferSelectModel<typeof orders> & { contentFileName: string | null };

/** An order as its buyer sees it. Amounts in major units; the charge in cents. */
export type OrderView = z.output<typeof orderResponse>;

export function orderView(row: OrderRow): OrderView {
  return {
    id: row.id,
    userId: row.userId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    kind: row.kind,
    website: row.website,
    postType: row.postType,
    packageName: row.packageName,
    packageDesc: row.packageDesc,
    quantity: row.quantity,
    price: row.priceCents / 100,
    currency: row.currency,
    chargedCents: row.chargedCents,
    status: row.status,
    linkUrl: row.linkUrl,
    adminComments: row.adminComments,
    projectId: row.projectId,
    projectDomain: row.projectDomain,
    projectTargetUrl: row.projectTargetUrl,
    projectKeywords: row.projectKeywords,
    contentPath: row.contentFileName === null ? null : `/api/orders/${row.id}/content/download`,
    contentFileName: row.contentFileName,
  };
}

/** Returns an order as the buyer's screens show it, with the buyer's status. */
export function buyerOrderView(row: OrderRow): OrderView {
  return { ...orderView(row), status: toBuyerStatus(row.status) };
}

/** An order's row with its buyer. */
export type AdminOrderRow = OrderRow & { userName: string; userEmail: string };

/** An order as staff see it. */
export type AdminOrderView = z.output<typeof adminOrderResponse>;

export function adminOrderView(row: AdminOrderRow): AdminOrderView {
  return {
    ...orderView(row),
    contentPath: row.contentFileName === null ? null : `/api/admin/orders/${row.id}/content/download`,
    userName: row.userName,
    userEmail: row.userEmail,
    version: row.version,
  };
}
