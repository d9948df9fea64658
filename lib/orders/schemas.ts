import { z } from 'zod';
import { orderStatuses } from '../../db/schema/orders';
import { pageQuery } from '../platform/http/fields';

import { quantityComplaint, readQuantity } from './quantity';

const projectId = z.string({ error: 'Select a project.' }).min(1, 'Select a project.').max(64);
/** A counted id as a number or its plain digits; nothing else is turned into one (`true` is not site 1). */
const countedIdField = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[1-9]\d{0,9}$/)
        .transform(Number),
    ],
    { error: 'Give a number.' },
  )
  .pipe(z.number().int().min(1).max(2_147_483_647));

/** How many sites one press may order. */
export const maxSitesPerOrder = 100;

/** What the buyer was told that it costs, in USD cents: an order that costs more by now is refused. */
const shownTotalCents = z.number().int().min(0).optional();

const packageOrder = z.object({
  kind: z.literal('package'),
  projectId,
  packageId: countedIdField,
  quantity: z.preprocess(
    readQuantity,
    z.number().superRefine((quantity, context) => {
      const message = quantityComplaint(quantity);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
  shownTotalCents,
});

const customOrder = z.object({
  kind: z.literal('custom'),
  projectId,
  siteIds: z
    .array(countedIdField, { error: 'No site selected.' })
    .min(1, 'No site selected.')
    .max(maxSitesPerOrder, `Order at most ${maxSitesPerOrder} sites at once.`)
    .transform((ids) => [...new Set(ids)]),
  shownTotalCents,
});

/** POST /api/orders. */
export const createOrderBody = z.discriminatedUnion('kind', [packageOrder, customOrder]);
export type CreateOrderInput = z.output<typeof createOrderBody>;

export const orderIdParams = z.object({ id: countedIdField });
const orderStatusField = z.enum(orderStatuses, { error: `Choose one of ${orderStatuses.join(', ')}.` });

const statusFilter = orderStatusField.optional().catch(undefined);
const searchText = z.string().trim().max(200).optional();

/** GET /api/orders: without a limit the whole list is answered. */
export const ownOrdersQuery = z.object({
  q: searchText,
  status: statusFilter,
  projectId: z.string().trim().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** Rows a page of the order desk (spec 001, section 9). */
export const orderPageSizes = [25, 50, 100, 200] as const;
export const defaultOrderPageSize = 100;

/** GET /api/admin/orders. An unknown status filters nothing, as an empty one does. */
export const allOrdersQuery = pageQuery(defaultOrderPageSize, 200).extend({
  q: searchText,
  status: statusFilter,
  userId: z.string().trim().max(64).optional(),
});

const linkUrlField = z.string().transform((typed, context) => {
  const address = normaliseLinkUrl(typed);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: 'Enter a web address, e.g. https://example.com/article.' });
  return z.NEVER;
});

/** DELETE /api/admin/orders/{id}: the version that the caller saw; a stale one is refused. */
export const deleteOrderQuery = z.object({ version: z.coerce.number().int().min(1).optional() });

/** PATCH /api/admin/orders/{id}: what is left out stays as it is. */
export const updateOrderBody = z.object({
  status: orderStatusField.optional(),
  linkUrl: linkUrlField.optional(),
  adminComments: z.string().trim().max(5000, 'Write at most 5,000 characters.').optional(),
  /** The version the edit started from; a stale one is refused. */
  version: z.number().int().min(1).optional(),
  /** "Reject and refund": with status Refunded, the history also tells that the order was rejected. */
  isRejection: z.boolean().optional(),
});
export type UpdateOrderInput = z.output<typeof updateOrderBody>;

/** The longest address browsers and crawlers agree on. */
const maxLength = 2048;

/**
 * A live link as an admin types it: https:// is put in front when it has no scheme (spec 001, section 5), and only web
 * addresses are taken, so that no link a buyer presses can run a script or open a file.
 * @returns the address, '' for none, or null when it is no web address
 */
function normaliseLinkUrl(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return '';
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The parser would silently drop line breaks and repair backslashes: what is stored must be what is opened.
  if (address.length > maxLength || /[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address)) return null;
  const { hostname, username, password } = new URL(address);
  // "mailto:me@example.com" behind https:// reads as a user name: nobody means that, and it disguises where it leads.
  if (username || password) return null;
  const hadScheme = address === text;
  return hadScheme || hostname.includes('.') ? address : null;
}
