import { z } from 'zod';
import { orderKinds, orderStatuses } from '../../db/schema/orders';
import { currencies } from '../money';

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
  })
  .meta({ title: 'Order' });

/** The response of POST /api/orders: one order for each site, or one for the package. */
export const createdOrdersResponse = z.object({ orders: z.array(orderResponse) });

/** An order as staff see it. */
export const adminOrderResponse = orderResponse
  .extend({
    userName: z.string(),
    userEmail: z.string(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
  })
  .meta({ title: 'AdminOrder' });

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
  order: adminOrderResponse,
});
