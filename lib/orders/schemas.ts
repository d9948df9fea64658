import { z } from 'zod';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';
import { maxBriefBytes, orderBriefFields } from './briefs/schemas';
import { parseQuantity, validateQuantity } from './quantity';

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

/** The total that the buyer saw, in USD cents. The order is rejected if the current total is higher. */
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
  shownTotalCents,
});

/** The body of POST /api/orders. */
export const createOrderBody = z.discriminatedUnion('kind', [packageOrder, customOrder]);
export type CreateOrderInput = z.output<typeof createOrderBody>;

export const orderIdParams = z.object({ id: integerIdField });
const orderStatusField = z.enum(orderStatuses, { error: `Choose one of ${orderStatuses.join(', ')}.` });

const statusFilter = orderStatusField.optional().catch(undefined);
const searchText = z.string().trim().max(200).optional();

/** The query of GET /api/orders. Without a limit, the response has the whole list. */
export const ownOrdersQuery = z.object({
  q: searchText,
  status: statusFilter,
  projectId: z.string().trim().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** Rows per page of the staff's order list. */
export const orderPageSizes = [25, 50, 100, 200] as const;
export const defaultOrderPageSize = 100;

/** The filters of the desk by the day of delivery (UTC) and by mark. */
const dueFilters = ['today', 'week'] as const;
const orderMarks = ['late', 'disputed', 'contact'] as const;

/** The query of GET /api/admin/orders. Unknown and empty filters are ignored. */
export const allOrdersQuery = pageQuery(defaultOrderPageSize, 200).extend({
  q: searchText,
  status: statusFilter,
  userId: z.string().trim().max(64).optional(),
  fulfilledBy: z
    .string()
    .trim()
    .max(64)
    .optional()
    .describe('`staff`, `seller` for any seller, or the id of a seller.'),
  state: z.enum(placementStates).optional().catch(undefined).describe('The state of the placement.'),
  due: z
    .enum(dueFilters)
    .optional()
    .catch(undefined)
    .describe('Deliveries that are due on the current day (UTC), or in the seven days from it; earliest first.'),
  mark: z
    .enum(orderMarks)
    .optional()
    .catch(undefined)
    .describe(
      '`late`: deliveries that are overdue, the longest first. `disputed`: orders with an open dispute. `contact`: orders in which buyer or seller wrote what seems to be contact data.',
    ),
  cursor: idCursorField,
});

/** A live link; '' removes it. */
export const linkUrlField = z.string().transform((typed, context) => {
  const address = parseLinkUrl(typed);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: 'Enter a web address, e.g. https://example.com/article.' });
  return z.NEVER;
});

/** The query of DELETE /api/admin/orders/{id}: the version the caller saw; a stale version is rejected. */
export const deleteOrderQuery = z.object({ version: z.coerce.number().int().min(1).optional() });

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

/** The maximum URL length supported by all browsers and crawlers. */
const maxLength = 2048;

/**
 * Parses a live link. Adds https:// if the scheme is missing. Only accepts http and https URLs, so that the link can
 * neither run a script nor open a file.
 * @returns the URL, '' for an empty text, or null if it is invalid
 */
function parseLinkUrl(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return '';
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The URL parser silently removes line breaks and converts backslashes, so the stored URL would differ from the link.
  if (address.length > maxLength || /[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address)) return null;
  const { hostname, username, password } = new URL(address);
  // Rejects "mailto:me@example.com", which parses as a user name after https://, and credentials that disguise the host.
  if (username || password) return null;
  const hadScheme = address === text;
  return hadScheme || hostname.includes('.') ? address : null;
}
