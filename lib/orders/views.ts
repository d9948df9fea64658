import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { LinkVerdict } from '@/db/schema/links';
import type { orders } from '@/db/schema/orders';
import type { orderBriefs, placements } from '@/db/schema/placements';
import { toBuyerStatus } from './buyer-status';
import { getGuarantee } from './placements/ripeness';
import { getSettledPart } from './placements/settled-part';
import { isLate, mayBuyerCancel } from './placements/states';
import type {
  adminOrderDetailsResponse,
  adminOrderResponse,
  briefResponse,
  extensionResponse,
  orderResponse,
} from './responses';

/** A placement's row with the dispute to show, and the number of changes that the rules allow. */
export type PlacementRow = InferSelectModel<typeof placements> & {
  disputeId: string | null;
  maxRevisions: number;
  /** The newest check of the link, and its newest passport; null before. */
  linkVerdict: LinkVerdict | null;
  linkCheckedAt: Date | null;
  /** When a link that was confirmed missing is lost. */
  linkRepairDueAt: Date | null;
  proofId: string | null;
};

/** A brief's row with the file name of its article. */
export type BriefRow = InferSelectModel<typeof orderBriefs> & { articleFileName: string | null };

/** An order's row with the file name of its current content, its placement and its brief. */
export type OrderRow = InferSelectModel<typeof orders> & {
  contentFileName: string | null;
  placement: PlacementRow | null;
  brief: BriefRow | null;
};

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
    brief: row.brief && briefView(row.brief),
    placement: row.placement && placementView(row.placement),
  };
}

export function briefView(row: BriefRow): z.output<typeof briefResponse> {
  const { targetUrl, anchor, writer, words, notes, notBefore, rel, articleFileName, version } = row;
  return { targetUrl, anchor, writer, words, notes, notBefore, rel, articleFileName, version };
}

function placementView(row: PlacementRow): OrderView['placement'] {
  const now = new Date();
  return {
    state: row.state,
    answerDueAt: row.answerDueAt.toISOString(),
    deliveryDueAt: row.deliveryDueAt?.toISOString() ?? null,
    approveDueAt: row.state === 'delivered' ? (row.approveDueAt?.toISOString() ?? null) : null,
    deliveredUrl: row.deliveredUrl || null,
    revisionsLeft: Math.max(0, row.maxRevisions - row.revisionsUsed),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    version: row.version,
    disputeId: row.disputeId,
    extension: extensionView(row),
    isLate: isLate(row, now),
    mayCancel: mayBuyerCancel(row, now),
    ...linkView(row),
  };
}

export function linkView(
  row: PlacementRow,
): Pick<NonNullable<OrderView['placement']>, 'check' | 'guaranteeEndsAt' | 'repairDueAt' | 'proofId'> {
  const { linkVerdict, linkCheckedAt, linkRepairDueAt, proofId } = row;
  return {
    check: linkVerdict && linkCheckedAt && { verdict: linkVerdict, checkedAt: linkCheckedAt.toISOString() },
    guaranteeEndsAt: getGuarantee(row)?.endsAt.toISOString() ?? null,
    repairDueAt: linkRepairDueAt?.toISOString() ?? null,
    proofId,
  };
}

export function extensionView(row: PlacementRow): z.output<typeof extensionResponse> {
  if (row.extensionAskedAt === null || row.extensionDays === null) return null;
  return {
    days: row.extensionDays,
    reason: row.extensionReason,
    askedAt: row.extensionAskedAt.toISOString(),
    grantedAt: row.extensionGrantedAt?.toISOString() ?? null,
    refusedAt: row.extensionRefusedAt?.toISOString() ?? null,
  };
}

/** Returns an order as the buyer's screens show it, with the buyer's status. */
export function buyerOrderView(row: OrderRow): OrderView {
  return { ...orderView(row), status: toBuyerStatus(row.status) };
}

/** An order's row with its buyer, its placement and its seller. */
export type AdminOrderRow = OrderRow & {
  userName: string;
  userEmail: string;
  /** The seller of the placement; null without one. */
  sellerName: string | null;
  sellerEmail: string | null;
};

/** An order as staff see it. */
export type AdminOrderView = z.output<typeof adminOrderResponse>;

export function adminOrderView(row: AdminOrderRow): AdminOrderView {
  return {
    ...orderView(row),
    contentPath: row.contentFileName === null ? null : `/api/admin/orders/${row.id}/content/download`,
    userName: row.userName,
    userEmail: row.userEmail,
    version: row.version,
    ...(row.placement && {
      fulfilledBy: row.isFulfilledBySeller ? ('seller' as const) : ('staff' as const),
      sellerName: row.sellerName ?? '',
      sellerEmail: row.sellerEmail ?? '',
      earnsCents: row.isFulfilledBySeller ? row.placement.sellerCents - row.placement.sellerReturnedCents : 0,
    }),
  };
}

/** An order's row with what its buyer has paid according to the ledger, in USD cents. */
export type AdminOrderDetailsRow = AdminOrderRow & { netPaidCents: number };

/** One order as staff see it, with the money that a change of its status moves. */
export type AdminOrderDetails = z.output<typeof adminOrderDetailsResponse>;

export function adminOrderDetailsView(row: AdminOrderDetailsRow): AdminOrderDetails {
  const { netPaidCents, chargedCents, placement } = row;
  const owedCents = chargedCents - getSettledPart(chargedCents, placement) - netPaidCents;
  return {
    ...adminOrderView(row),
    netPaidCents,
    rechargeCents: row.status === 'Refunded' ? Math.max(0, owedCents) : 0,
  };
}
