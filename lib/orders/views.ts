import type { InferSelectModel } from 'drizzle-orm';
import type { orders } from '../../db/schema/orders';
import type { Currency } from '../money';
import { buyerStatus } from './buyer-status';

/** An order's row with the name of its current content, as `queries.ts` reads it. */
export type OrderRow = InferSelectModel<typeof orders> & { contentFileName: string | null };

/** An order as its buyer sees it (spec 001, section 3). Amounts in major units; the charge also in cents. */
export type OrderView = {
  id: number;
  userId: string;
  createdAt: string;
  updatedAt: string;
  kind: 'package' | 'custom';
  website: string;
  postType: string;
  packageName: string;
  packageDesc: string;
  quantity: number;
  /** In `currency`. */
  price: number;
  currency: Currency;
  /** What the wallet paid, in USD cents. */
  chargedCents: number;
  status: OrderRow['status'];
  linkUrl: string;
  adminComments: string;
  projectId: string;
  projectDomain: string;
  projectTargetUrl: string;
  projectKeywords: string;
  /** Where the delivered file is downloaded, or null before delivery. */
  contentPath: string | null;
  contentFileName: string | null;
};

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

/** An order as the customer's screens show it: of the six statuses a buyer sees five. */
export function buyerOrderView(row: OrderRow): OrderView {
  return { ...orderView(row), status: buyerStatus(row.status) };
}

/** An order's row with its buyer. */
export type AdminOrderRow = OrderRow & { userName: string; userEmail: string };

/** An order as the order desk sees it. */
export type AdminOrderView = OrderView & {
  userName: string;
  userEmail: string;
  /** What an edit names, so that a stale one is told. */
  version: number;
};

export function adminOrderView(row: AdminOrderRow): AdminOrderView {
  return {
    ...orderView(row),
    contentPath: row.contentFileName === null ? null : `/api/admin/orders/${row.id}/content/download`,
    userName: row.userName,
    userEmail: row.userEmail,
    version: row.version,
  };
}
