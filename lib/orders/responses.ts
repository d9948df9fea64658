import { z } from 'zod';
import { linkVerdicts } from '@/db/schema/links';
import { orderKinds, orderStatuses } from '@/db/schema/orders';
import { briefWriters, linkRels, placementStates } from '@/db/schema/placements';
import { currencies } from '@/lib/money';

/** What the buyer wants published. */
export const briefResponse = z
  .object({
    targetUrl: z.string(),
    anchor: z.string(),
    writer: z.enum(briefWriters).describe('Who writes the article.'),
    words: z.int().nullable(),
    notes: z.string(),
    notBefore: z.iso.date().nullable().describe('The earliest day of publication.'),
    rel: z.enum(linkRels),
    articleFileName: z.string().nullable(),
    version: z.int().describe('The version to send with a change, so that concurrent changes are detected.'),
  })
  .meta({ title: 'Brief' });

/** The number of days for which the seller asked. */
export const extensionResponse = z
  .object({
    days: z.int(),
    reason: z.string(),
    askedAt: z.iso.datetime(),
    grantedAt: z.iso.datetime().nullable(),
    refusedAt: z.iso.datetime().nullable(),
  })
  .nullable();

/** The checks of a placement's link. */
const linkFields = z.object({
  check: z
    .object({ verdict: z.enum(linkVerdicts), checkedAt: z.iso.datetime() })
    .nullable()
    .describe('The newest check of the link; null if there is none.'),
  guaranteeEndsAt: z.iso.datetime().nullable().describe('When the link must no longer stand.'),
  repairDueAt: z.iso
    .datetime()
    .nullable()
    .describe('When a link that two checks did not find is lost, unless it is repaired.'),
  proofId: z.string().nullable().describe('The newest passport of the link: GET /api/proofs/{id}.'),
});

/** The seller's side of an order, as the buyer and staff see it. */
const placementResponse = z
  .object({
    state: z.enum(placementStates),
    answerDueAt: z.iso.datetime(),
    deliveryDueAt: z.iso.datetime().nullable(),
    approveDueAt: z.iso.datetime().nullable().describe('When a delivery is approved without an answer.'),
    deliveredUrl: z.string().nullable(),
    revisionsLeft: z.int(),
    approvedAt: z.iso.datetime().nullable(),
    version: z.int().describe('The version to send with a change, so that concurrent changes are detected.'),
    disputeId: z.string().nullable().describe('The open dispute, or the one that settled the order.'),
    extension: extensionResponse,
    isLate: z.boolean(),
    mayCancel: z.boolean().describe('Whether the buyer can cancel.'),
    ...linkFields.shape,
  })
  .meta({ title: 'Placement' });

/** An order as its buyer sees it. */
export const orderResponse = z
  .object({
    id: z.int(),
    userId: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    kind: z.enum(orderKinds),
    website: z.string(),
    postType: z.string(),
    packageName: z.string(),
    packageDesc: z.string(),
    quantity: z.int(),
    price: z.number().describe('In `currency`, in major units.'),
    currency: z.enum(currencies),
    chargedCents: z.int().describe('The amount paid from the wallet, in USD cents.'),
    status: z.enum(orderStatuses),
    linkUrl: z.string(),
    adminComments: z.string(),
    projectId: z.string(),
    projectDomain: z.string(),
    projectTargetUrl: z.string(),
    projectKeywords: z.string(),
    contentPath: z.string().nullable().describe('The URL of the delivered file; null before delivery.'),
    contentFileName: z.string().nullable(),
    brief: briefResponse.nullable(),
    placement: placementResponse.nullable().describe('Null if staff fulfill the order.'),
  })
  .meta({ title: 'Order' });

/** An order as the seller of its site sees it. */
export const sellerOrderResponse = z
  .object({
    id: z.int().describe("The order's number."),
    state: z.enum(placementStates),
    website: z.string(),
    postType: z.string(),
    brief: briefResponse.nullable(),
    earnsCents: z.int().describe("The seller's share in USD cents, without what returned to the buyer."),
    currency: z.literal('USD'),
    answerDueAt: z.iso.datetime(),
    deliveryDueAt: z.iso.datetime().nullable(),
    approveDueAt: z.iso.datetime().nullable().describe('When a delivery is approved without an answer.'),
    version: z.int().describe('The version to send with a change, so that concurrent changes are detected.'),
    deliveredUrl: z.string().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
    revisionsLeft: z.int(),
    approvedAt: z.iso.datetime().nullable(),
    extension: extensionResponse,
    releasedAt: z.iso.datetime().nullable().describe('When the seller agreed to a cancellation.'),
    isLate: z.boolean(),
    orderedAt: z.iso.datetime(),
    disputeId: z.string().nullable().describe('The open dispute, or the one that settled the order.'),
    ripeCents: z.int().describe('What is payable of the share, in USD cents.'),
    // Omitted for the former seller of an order.
    ...linkFields.partial().shape,
  })
  .meta({ title: 'SellerOrder' });

/** The response of POST /api/orders: one order for each site, or one for the package. */
export const createdOrdersResponse = z.object({ orders: z.array(orderResponse) });

/** An order as staff see it. */
export const adminOrderResponse = orderResponse
  .extend({
    userName: z.string(),
    userEmail: z.string(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    fulfilledBy: z
      .enum(['seller', 'staff'])
      .optional()
      .describe('Who fulfills an order with a placement: staff after they took it over. Omitted without a placement.'),
    sellerName: z.string().optional(),
    sellerEmail: z.string().optional(),
    earnsCents: z
      .int()
      .optional()
      .describe("The seller's share in USD cents, without what returned to the buyer; 0 after staff took over."),
  })
  .meta({ title: 'AdminOrder' });

/** One order as staff see it, with the money that a change of its status moves. */
export const adminOrderDetailsResponse = adminOrderResponse
  .extend({
    netPaidCents: z
      .int()
      .describe('What the buyer has paid, without what was returned, in USD cents. The status Refunded returns it.'),
    rechargeCents: z
      .int()
      .describe('What another status charges again, in USD cents; 0 for an order that is not Refunded.'),
  })
  .meta({ title: 'AdminOrderDetails' });

/** The response of GET /api/admin/orders. */
export const adminOrdersResponse = z.object({
  orders: z.array(adminOrderResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

/** The response of POST /api/admin/orders/{id}/content. */
export const deliveredContentResponse = z.object({
  content: z.object({
    fileName: z.string(),
    mediaType: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
  }),
  order: adminOrderDetailsResponse,
});
