import { z } from 'zod';
import { linkRels } from '@/db/enums';
import { linkVerdicts } from '@/db/schema/links';
import { orderKinds, orderStatuses } from '@/db/schema/orders';
import { briefWriters, placementStates } from '@/db/schema/placements';
import { optionKinds, optionTopics } from '@/db/schema/site-options';
import { currencies } from '@/lib/money';
import { tagParam } from '@/lib/notes/schemas';
import { linkUrlField, maxBriefBytes, orderBriefFields } from '@/lib/orders/briefs/schemas';
import { choiceParam, integerParam, numberCursorField, offsetParam, pageQuery } from '@/lib/platform/http/fields';
import { parseQuantity, validateQuantity } from './amounts';

const projectId = z.string({ error: 'Select a project.' }).min(1, 'Select a project.').max(64);
/** An integer id as a number or decimal digits. Other types are not coerced. */
const integerIdField = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[1-9]\d{0,9}$/)
        .transform(Number),
    ],
    { error: 'Enter a number.' },
  )
  .pipe(z.number().int().min(1).max(2_147_483_647));

/** The maximum number of sites in one order. */
export const maxSitesPerOrder = 100;

/** The maximum size of the body of POST /api/orders: a brief for all sites, and an exception for each. */
export const maxOrderBytes = (maxSitesPerOrder + 1) * maxBriefBytes + 64 * 1024;

/** The total with tax that the buyer saw, in USD cents. The order is rejected if the current total is higher. */
const shownTotalCents = z.number().int().min(0).optional();

const packageOrder = z.object({
  kind: z.literal('package'),
  projectId,
  ...orderBriefFields,
  packageId: integerIdField,
  quantity: z.preprocess(
    parseQuantity,
    z.number().superRefine((quantity, context) => {
      const message = validateQuantity(quantity);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
  shownTotalCents,
});

const customOrder = z.object({
  kind: z.literal('custom'),
  projectId,
  ...orderBriefFields,
  siteIds: z
    .array(integerIdField, { error: 'No site selected.' })
    .min(1, 'No site selected.')
    .max(maxSitesPerOrder, `Order at most ${maxSitesPerOrder} sites at once.`)
    .transform((ids) => [...new Set(ids)]),
  rejectDuplicates: z
    .boolean('Send true or false.')
    .optional()
    .describe(
      'Refuses the order with `duplicate_site` when the project has an order for the same domain and post type that was neither refunded nor declined, or when two sites of the request have the same. Default: false. For sites only; ignored for a package.',
    ),
  shownTotalCents,
});

/** The body of POST /api/orders. */
export const createOrderBody = z.discriminatedUnion('kind', [packageOrder, customOrder]);
export type CreateOrderInput = z.output<typeof createOrderBody>;

export const orderIdParams = z.object({ id: integerIdField });
const orderStatusField = z.enum(orderStatuses, { error: `Choose one of ${orderStatuses.join(', ')}.` });

const searchText = z.string().trim().max(2_048).optional();

/** The query of GET /api/orders. Without a limit, the response has the whole list. */
export const ownOrdersQuery = z.object({
  q: searchText,
  status: orderStatusField.optional(),
  projectId: z.string().trim().max(64).optional(),
  limit: integerParam(1, 500).optional(),
  offset: offsetParam,
});

/** Rows per page of the staff's order list. */
export const orderPageSizes = [25, 50, 100, 200] as const;
export const defaultOrderPageSize = 100;

/** The filters of the desk by the day of delivery (UTC) and by mark. */
const dueFilters = ['today', 'week'] as const;
const orderMarks = ['late', 'disputed', 'contact'] as const;
/** The columns that the staff's list can be sorted by. */
export const adminOrderSortKeys = ['id', 'charged', 'status', 'due'] as const;

/** The query of GET /api/admin/orders. */
export const allOrdersQuery = pageQuery(defaultOrderPageSize, 200).extend({
  q: searchText,
  status: orderStatusField.optional(),
  userId: z.string().trim().max(64).optional(),
  fulfilledBy: z
    .string()
    .trim()
    .max(64)
    .optional()
    .describe('`staff`, `seller` for any seller, or the id of a seller.'),
  state: choiceParam(placementStates).optional().describe('The state of the placement.'),
  due: choiceParam(dueFilters)
    .optional()
    .describe('Deliveries that are due on the current day (UTC), or in the seven days from it; earliest first.'),
  mark: choiceParam(orderMarks)
    .optional()
    .describe(
      '`late`: deliveries that are overdue, the longest first. `disputed`: orders with an open dispute. `contact`: orders in which buyer or seller wrote what seems to be contact data.',
    ),
  tag: tagParam.describe('An internal tag of the order.'),
  sort: choiceParam(adminOrderSortKeys)
    .optional()
    .describe('Sorts by number, amount charged, status or the day of delivery; otherwise the newest is first.'),
  order: choiceParam(['asc', 'desc']).optional().describe('The direction of `sort`; `asc` by default.'),
  cursor: numberCursorField,
});

/** The query of DELETE /api/admin/orders/{id}: the version the caller saw; a stale version is rejected. */
export const deleteOrderQuery = z.object({ version: integerParam(1, 2_147_483_647).optional() });

/** The body of PATCH /api/admin/orders/{id}. Absent fields keep their value. */
export const updateOrderBody = z.object({
  status: orderStatusField.optional(),
  linkUrl: linkUrlField.optional(),
  adminComments: z.string().trim().max(5000, 'Use at most 5,000 characters.').optional(),
  /** The version the edit is based on; a stale version is rejected. */
  version: z.number().int().min(1).optional(),
  /** "Reject and refund": with status Refunded, also records the status Rejected in the history. */
  isRejection: z.boolean().optional(),
});
export type UpdateOrderInput = z.output<typeof updateOrderBody>;

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

/** An option that the order keeps. */
export const orderOptionResponse = z
  .object({
    id: z.string(),
    optionId: z.string().describe('The option of the site at that time.'),
    kind: z.enum(optionKinds),
    days: z.int().optional().describe('The days of a guarantee or of a mention on the homepage.'),
    topic: z.enum(optionTopics).optional(),
    words: z.int().optional().describe('The number of words of an article by the publisher.'),
    chargedCents: z.int().describe('The part of `chargedCents` of the order, in USD cents.'),
    isExtension: z.literal(true).optional().describe('Present if it extended the guarantee of the published link.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ title: 'OrderOption' });

/** An option of an order as the seller of its site sees it. */
const sellerOrderOptionResponse = orderOptionResponse
  .omit({ chargedCents: true })
  .extend({ earnsCents: z.int().describe("The part of the seller's share, in USD cents.") })
  .meta({ title: 'SellerOrderOption' });

/** An option of an order as staff see it. */
const adminOrderOptionResponse = orderOptionResponse
  .extend({ earnsCents: z.int().describe("The part of the seller's share, in USD cents.") })
  .meta({ title: 'AdminOrderOption' });

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

const deliveryReasonField = z
  .string()
  .nullable()
  .describe('Why the newest delivery was made although its check did not find the link in order.');

/** The seller's side of an order, as the buyer and staff see it. */
const placementResponse = z
  .object({
    state: z.enum(placementStates),
    answerDueAt: z.iso.datetime(),
    deliveryDueAt: z.iso.datetime().nullable(),
    approveDueAt: z.iso.datetime().nullable().describe('When a delivery is approved without an answer.'),
    deliveredUrl: z.string().nullable(),
    deliveryReason: deliveryReasonField,
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

/** What an order is for. */
export const itemFields = {
  website: z.string(),
  postType: z.string(),
  packageName: z.string(),
  packageDesc: z.string(),
  quantity: z.int(),
};

/** An order as its buyer sees it. */
export const orderResponse = z
  .object({
    id: z.int(),
    userId: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    kind: z.enum(orderKinds),
    ...itemFields,
    price: z.number().describe('In `currency`, in major units.'),
    currency: z.enum(currencies),
    chargedCents: z.int().describe('The price in USD cents, which the wallet paid with `taxCents`.'),
    taxCents: z.int().describe('The tax that the wallet paid with `chargedCents`, in USD cents; 0 without tax.'),
    status: z.enum(orderStatuses),
    linkUrl: z.string(),
    adminComments: z.string(),
    projectId: z.string(),
    projectDomain: z.string(),
    projectTargetUrl: z.string(),
    projectKeywords: z.string(),
    contentPath: z.string().nullable().describe('The URL of the delivered file; null before delivery.'),
    content_path: z.string().nullable().describe('The same as `contentPath`.'),
    contentFileName: z.string().nullable(),
    brief: briefResponse.nullable(),
    placement: placementResponse.nullable().describe('Null if staff fulfill the order.'),
    options: z.array(orderOptionResponse).describe('What the buyer chose besides the placement.'),
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
    deliveryReason: deliveryReasonField,
    revisionsLeft: z.int(),
    approvedAt: z.iso.datetime().nullable(),
    extension: extensionResponse,
    releasedAt: z.iso.datetime().nullable().describe('When the seller agreed to a cancellation.'),
    isLate: z.boolean(),
    orderedAt: z.iso.datetime(),
    disputeId: z.string().nullable().describe('The open dispute, or the one that settled the order.'),
    ripeCents: z.int().describe('What is payable of the share, in USD cents.'),
    options: z.array(sellerOrderOptionResponse).describe('What the buyer chose besides the placement.'),
    // Omitted for the former seller of an order.
    ...linkFields.partial().shape,
  })
  .meta({ title: 'SellerOrder' });

/** What the buyer should know about an order, and what does not prevent it. */
export const orderWarningResponse = z
  .object({
    siteId: z.int(),
    field: z.string().describe('The field of the request, e.g. `brief.rel` or `briefs.12.rel`.'),
    message: z.string(),
  })
  .meta({ title: 'OrderWarning' });
export type OrderWarning = z.output<typeof orderWarningResponse>;

/** The response of POST /api/orders: one order for each site, or one for the package. */
export const createdOrdersResponse = z.object({
  orders: z.array(orderResponse),
  warnings: z
    .array(orderWarningResponse)
    .optional()
    .describe(
      'The sites that publish NoFollow links only, with a brief that asks for `dofollow`. Omitted without any.',
    ),
});

/** An order as staff see it. */
export const adminOrderResponse = orderResponse
  .extend({
    options: z.array(adminOrderOptionResponse).describe('What the buyer chose besides the placement.'),
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
      .describe(
        'What the buyer has paid with tax, without what was returned, in USD cents. The status Refunded returns it.',
      ),
    rechargeCents: z
      .int()
      .describe('What another status charges again with tax, in USD cents; 0 for an order that is not Refunded.'),
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
