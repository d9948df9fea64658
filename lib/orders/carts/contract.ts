import { z } from 'zod';
import { offeredOptionResponse } from '@/lib/orders/options/contract';
import { maxSitesPerOrder } from '@/lib/orders/order/schemas';
import { nameField, versionField } from '@/lib/platform/http/fields';
import { linkedResponse } from '@/lib/sites/responses';

/** The maximum number of sites in a cart, which is ordered as a whole. */
export const maxCartItems = maxSitesPerOrder;

/** The fields of a brief in a cart, and the columns of its table. */
export const cartBriefFields = [
  'targetUrl',
  'anchor',
  'rel',
  'words',
  'notBefore',
  'writer',
  'articleId',
  'notes',
  'options',
] as const;
export type CartBriefField = (typeof cartBriefFields)[number];

/** A brief as the buyer typed it. An invalid value is kept, reported in `problems`, and refused by the order only. */
const cartBriefField = z
  .partialRecord(
    z.enum(cartBriefFields),
    z.union(
      [
        z.string().max(10_000, 'Use at most 10,000 characters.'),
        z.number(),
        z.null(),
        z.array(z.string().max(64)).max(50),
      ],
      { error: (issue) => (typeof issue.input === 'string' ? undefined : 'Enter a text or a number.') },
    ),
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'Enter the brief as an object.' : `Use the fields ${cartBriefFields.join(', ')}.`,
    },
  )
  .describe(
    'The fields of a brief as in POST /api/orders; `options` also as a text with commas. An invalid one is kept and reported in `problems`.',
  );
export type CartBriefInput = z.output<typeof cartBriefField>;

const siteMessage = 'Enter the id of a site.';
const siteIdField = z.int(siteMessage).min(1, siteMessage).max(2_147_483_647, siteMessage);

const projectField = z.string('Select a project.').min(1, 'Select a project.').max(64, 'Select a project.');

/** The body of POST /api/user/carts. */
export const createCartBody = z.object({
  projectId: projectField.nullable().optional().describe('Null or absent for the cart without a project.'),
  name: nameField('Enter a name.', 100).optional().describe('Default: the domain of the project, or “My cart”.'),
});

/** The body of PATCH /api/user/carts/{id}. */
export const updateCartBody = z.object({ name: nameField('Enter a name.', 100), version: versionField });

/** The body of PUT /api/user/carts/{id}/items: the whole list. A site that the list repeats is refused. */
export const saveCartItemsBody = z.object({
  items: z
    .array(z.object({ siteId: siteIdField, brief: cartBriefField.optional() }))
    .max(maxCartItems, `A cart holds at most ${maxCartItems} sites.`),
  version: versionField,
});
export type SaveCartItemsInput = z.output<typeof saveCartItemsBody>;

/** The body of POST /api/user/carts/{id}/order. */
export const orderCartBody = z.object({
  projectId: projectField.optional().describe("Default: the cart's project. Required for the cart without a project."),
  shownTotalCents: z
    .int()
    .min(0)
    .optional()
    .describe('The total with tax that the buyer saw, in USD cents. A higher current total is refused.'),
  version: versionField
    .optional()
    .describe('The version that the buyer saw. A cart that was changed since is refused.'),
  allowDuplicates: z
    .boolean()
    .optional()
    .describe('Orders sites that the project has ordered already; otherwise they are refused with `duplicate_site`.'),
});
export type OrderCartInput = z.output<typeof orderCartBody>;

/** `paused`: the site is listed but currently cannot be ordered: its seller paused it, or it is reviewed again. */
const cartItemStates = ['ok', 'price_changed', 'not_on_sale', 'paused'] as const;

/** A note on one field of a brief. */
const fieldNote = z.object({ field: z.enum(cartBriefFields), message: z.string() });

const cartItemResponse = z
  .object({
    siteId: z.int(),
    name: z.string(),
    url: z.string(),
    follow: z.boolean(),
    language: z.string(),
    words: z.int().describe("The site's usual number of words."),
    brief: cartBriefField,
    articleFileName: z.string().nullable().describe('The name of the attached article.'),
    state: z.enum(cartItemStates),
    pause: z
      .object({ until: z.iso.datetime().nullable().describe('When it ends by itself; null for an open end.') })
      .nullable()
      .describe('The pause of the publisher, who takes no orders for the site until it ends; null without one.'),
    options: z.array(offeredOptionResponse).describe('What the site offers besides the placement.'),
    priceCents: z
      .int()
      .nullable()
      .describe('The current price with the chosen options, in USD cents; null while the site is not on sale.'),
    shownPriceCents: z
      .int()
      .describe('The price when the site was added, with the options when they were chosen, in USD cents.'),
    problems: z.array(fieldNote).describe('What must be corrected before the cart can be ordered.'),
    warnings: z.array(fieldNote).describe('Where the brief contradicts the listing. The order is possible.'),
    linked: linkedResponse.describe("Whether the site links to the cart's project."),
    isDuplicate: z
      .boolean()
      .describe('Whether the project has ordered this domain and post type, or an earlier site of the cart has them.'),
  })
  .meta({ title: 'CartItem' });
export type CartItem = z.output<typeof cartItemResponse>;

export const cartResponse = z
  .object({
    id: z.string(),
    projectId: z.string().nullable(),
    name: z.string(),
    version: z.int().describe('The version to send with a change of the cart or of its items.'),
    netCents: z.int().describe('The current price of the sites on sale, in USD cents.'),
    taxCents: z.int().describe('The tax on it, in USD cents; 0 without tax.'),
    totalCents: z.int().describe('The sum of both, which an order takes from the wallet, in USD cents.'),
    items: z.array(cartItemResponse),
  })
  .meta({ title: 'Cart' });
export type Cart = z.output<typeof cartResponse>;

/** GET /api/user/carts: the carts without their items. */
export const cartsResponse = z.array(
  cartResponse
    .omit({ items: true })
    .extend({ count: z.int().describe('The number of sites.') })
    .meta({ title: 'CartSummary' }),
);
export type CartSummary = z.output<typeof cartsResponse>[number];

export const cartIdParams = z.object({ id: z.string().min(1).max(64) });
