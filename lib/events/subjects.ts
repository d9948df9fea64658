import { z } from 'zod';
import { rejectionReasons } from '@/db/enums';
import type { EventAudience } from '@/db/schema/events';
import { changeStates } from '@/db/schema/order-changes';
import { orderKinds, orderStatuses } from '@/db/schema/orders';
import { payoutStates } from '@/db/schema/payouts';
import { placementStates } from '@/db/schema/placements';
import { paymentProviders } from '@/db/schema/topups';
import type { Permission } from '@/lib/access/permissions';

/** The data of an event for one audience: its schema and an example. */
export type View = { schema: z.ZodObject; example: Record<string, unknown> };

/** What events are about. Staff receive them for the installation only with the permission. */
export type Subject = { permission: Permission | null } & Partial<Record<EventAudience, View>>;

const cents = (text: string) => z.int().describe(`${text} In USD cents.`);
const userId = (text: string) => z.string().describe(text);
const orderId = z.int().describe("The order's number.");
const url = z.string().describe('Where the API returns the object.');

const view = <Schema extends z.ZodObject>(schema: Schema, example: z.output<Schema>) => ({ schema, example });

const orderFields = {
  orderId,
  status: z.enum(orderStatuses),
  kind: z.enum(orderKinds),
  website: z.string(),
  packageName: z.string(),
  projectId: z.string(),
  chargedCents: cents('The price, which the wallet paid with `taxCents`.'),
  taxCents: cents('The tax on it.'),
  linkUrl: z.string().describe('The live link; empty before.'),
  url,
};
const orderExample = {
  orderId: 1042,
  status: 'Pending' as const,
  kind: 'custom' as const,
  website: 'https://blog.example.com',
  packageName: '',
  projectId: '01kay3m8c1q3t5v7x9z1b3d5f7',
  chargedCents: 12_500,
  taxCents: 0,
  linkUrl: '',
  url: 'https://links.example.com/api/orders/1042',
};
const buyerId = userId('The buyer.');
const exampleBuyer = '01kay3m8c1a2b3c4d5e6f7g8h9';
const exampleSeller = '01kay3m8c1j2k3m4n5p6q7r8s9';

export const order = {
  permission: 'ManageOrders',
  buyer: view(z.object(orderFields), orderExample),
  installation: view(z.object({ ...orderFields, buyerId, fulfilledBy: z.enum(['seller', 'staff']) }), {
    ...orderExample,
    buyerId: exampleBuyer,
    fulfilledBy: 'seller' as const,
    url: 'https://links.example.com/api/admin/orders/1042',
  }),
} satisfies Subject;

const refundFields = { orderId, amountCents: cents('What returned to the wallet, with tax.'), url };
const refundExample = { orderId: 1042, amountCents: 12_500, url: orderExample.url };

export const refund = {
  permission: 'ManageOrders',
  buyer: view(z.object(refundFields), refundExample),
  installation: view(z.object({ ...refundFields, buyerId }), { ...refundExample, buyerId: exampleBuyer }),
} satisfies Subject;

const placementFields = {
  orderId,
  state: z.enum(placementStates),
  website: z.string(),
  deliveredUrl: z.string().nullable().describe('The delivered page; null before the delivery.'),
  deliveryDueAt: z.iso.datetime().nullable(),
  url,
};
const placementExample = {
  orderId: 1042,
  state: 'delivered' as const,
  website: 'https://blog.example.com',
  deliveredUrl: 'https://blog.example.com/gravel-bikes',
  deliveryDueAt: '2026-03-14T09:00:00.000Z',
  url: 'https://links.example.com/api/orders/1042',
};
const returnedCents = cents('What this step returned to the buyer, with tax.');
const earnsCents = cents("The seller's share, without what returned to the buyer.");

export const placement = {
  permission: 'ManageOrders',
  buyer: view(z.object({ ...placementFields, status: z.enum(orderStatuses), returnedCents }), {
    ...placementExample,
    status: 'Processing' as const,
    returnedCents: 0,
  }),
  seller: view(z.object({ ...placementFields, answerDueAt: z.iso.datetime(), earnsCents }), {
    ...placementExample,
    answerDueAt: '2026-03-04T09:00:00.000Z',
    earnsCents: 9_000,
    url: 'https://links.example.com/api/seller/orders/1042',
  }),
  installation: view(
    z.object({
      ...placementFields,
      status: z.enum(orderStatuses),
      buyerId,
      sellerId: userId('The seller.'),
      chargedCents: cents('The price, without tax.'),
      earnsCents,
      returnedCents,
    }),
    {
      ...placementExample,
      status: 'Processing' as const,
      buyerId: exampleBuyer,
      sellerId: exampleSeller,
      chargedCents: 12_500,
      earnsCents: 9_000,
      returnedCents: 0,
      url: 'https://links.example.com/api/admin/orders/1042',
    },
  ),
} satisfies Subject;
/** The seller learns of an order by its offer; the buyer placed it. */
export const offer = {
  permission: 'ManageOrders',
  seller: view(placement.seller.schema, {
    ...placement.seller.example,
    state: 'offered' as const,
    deliveredUrl: null,
    deliveryDueAt: null,
  }),
  installation: placement.installation,
} satisfies Subject;

const changeFields = {
  orderId,
  changeId: z.string(),
  state: z.enum(changeStates),
  website: z.string(),
  targetUrl: z.string().describe('The page that the link leads to afterwards; empty for the one before.'),
  anchor: z.string().describe('The text of the link afterwards; empty for the one before.'),
  dueAt: z.iso.datetime().nullable().describe('When the state ends without an answer; null at the end.'),
  url: z.string().describe('Where the API returns the changes.'),
};
const changeExample = {
  orderId: 1042,
  changeId: '01kay3m8c1change5v7x9z1b3d',
  state: 'accepted' as const,
  website: 'https://blog.example.com',
  targetUrl: 'https://shop.example.com/gravel-bikes',
  anchor: 'gravel bikes',
  dueAt: '2026-05-14T09:00:00.000Z',
  url: 'https://links.example.com/api/orders/1042/changes',
};
const priceCents = cents('What the buyer pays, without tax.');
const changeEarnsCents = cents("The seller's share of the price.");

export const change = {
  permission: 'ManageOrders',
  buyer: view(z.object({ ...changeFields, priceCents }), { ...changeExample, priceCents: 3_125 }),
  seller: view(z.object({ ...changeFields, earnsCents: changeEarnsCents }), {
    ...changeExample,
    earnsCents: 2_250,
    url: 'https://links.example.com/api/seller/orders/1042/changes',
  }),
  installation: view(
    z.object({
      ...changeFields,
      priceCents,
      earnsCents: changeEarnsCents,
      buyerId,
      sellerId: userId('The seller.'),
    }),
    {
      ...changeExample,
      priceCents: 3_125,
      earnsCents: 2_250,
      buyerId: exampleBuyer,
      sellerId: exampleSeller,
      url: 'https://links.example.com/api/admin/orders/1042',
    },
  ),
} satisfies Subject;

const linkFields = { orderId, website: z.string(), pageUrl: z.string().describe('The page of the link.'), url };
const linkExample = {
  orderId: 1042,
  website: 'https://blog.example.com',
  pageUrl: 'https://blog.example.com/gravel-bikes',
  url: 'https://links.example.com/api/orders/1042/checks',
};

export const link = {
  permission: 'ManageOrders',
  buyer: view(z.object(linkFields), linkExample),
  seller: view(z.object(linkFields), { ...linkExample, url: placement.seller.example.url }),
  installation: view(
    z.object({ ...linkFields, buyerId, sellerId: userId('Null if staff fulfill the order.').nullable() }),
    {
      ...linkExample,
      buyerId: exampleBuyer,
      sellerId: exampleSeller,
      url: 'https://links.example.com/api/admin/orders/1042/checks',
    },
  ),
} satisfies Subject;

const messageFields = {
  orderId,
  messageId: z.string(),
  from: z.enum(['buyer', 'seller', 'staff']).describe('The side that wrote the message.'),
  url: z.string().describe("Where the API returns the order's messages."),
};
const messageExample = {
  orderId: 1042,
  messageId: 'message-88',
  from: 'seller' as const,
  url: 'https://links.example.com/api/orders/1042/messages',
};
export const message = {
  permission: 'ManageOrders',
  buyer: view(z.object(messageFields), messageExample),
  seller: view(z.object(messageFields), messageExample),
  installation: view(z.object(messageFields), messageExample),
} satisfies Subject;

const topupFields = {
  topupId: z.string(),
  amountCents: cents('What was credited to the wallet.'),
  currency: z.string(),
  provider: z.enum(paymentProviders),
  url: z.string().describe('Where the API returns the wallet.'),
};
const topupExample = {
  topupId: '01kay3m8c1topup3t5v7x9z1b3',
  amountCents: 50_000,
  currency: 'USD',
  provider: 'stripe' as const,
  url: 'https://links.example.com/api/wallet',
};
export const topup = {
  permission: 'ManageWallets',
  buyer: view(z.object(topupFields), topupExample),
  installation: view(z.object({ ...topupFields, buyerId }), { ...topupExample, buyerId: exampleBuyer }),
} satisfies Subject;

const payoutFields = {
  payoutId: z.string(),
  state: z.enum(payoutStates),
  amountCents: cents('What left the balance.'),
  feeCents: cents('The fee, a part of the amount.'),
  reference: z.string().describe('The reference of the payment; empty before.'),
  reason: z.string().describe('Why it failed or was returned; empty otherwise.'),
  url: z.string().describe('Where the API returns the payouts.'),
};
const payoutExample = {
  payoutId: '01kay3m8c1payout5v7x9z1b3d',
  state: 'paid' as const,
  amountCents: 20_000,
  feeCents: 0,
  reference: 'PAYOUT 2026-03',
  reason: '',
  url: 'https://links.example.com/api/seller/payouts',
};
export const payout = {
  permission: 'ManagePayouts',
  seller: view(z.object(payoutFields), payoutExample),
  installation: view(z.object({ ...payoutFields, sellerId: userId('The seller.') }), {
    ...payoutExample,
    sellerId: exampleSeller,
    url: 'https://links.example.com/api/admin/payouts',
  }),
} satisfies Subject;

const siteFields = {
  siteId: z.int(),
  name: z.string(),
  website: z.string(),
  status: z.enum(['Approved', 'Rejected']),
  reason: z.enum(rejectionReasons).nullable().describe('Why it was rejected; null otherwise, and without a reason.'),
  note: z.string().describe('What staff wrote about the rejection; may be empty.'),
  url: z.string().describe('Where the API returns the sites.'),
};
const siteExample = {
  siteId: 318,
  name: 'Example Blog',
  website: 'https://blog.example.com',
  status: 'Approved' as const,
  reason: null,
  note: '',
  url: 'https://links.example.com/api/seller/sites',
};
export const site = {
  permission: 'ManageSites',
  seller: view(z.object(siteFields), siteExample),
  installation: view(z.object({ ...siteFields, ownerId: userId('The seller.') }), {
    ...siteExample,
    ownerId: exampleSeller,
    url: 'https://links.example.com/api/guest-posts',
  }),
} satisfies Subject;

const testFields = view(z.object({ message: z.string() }), { message: 'This is a test.' });
export const test = {
  permission: null,
  buyer: testFields,
  seller: testFields,
  installation: testFields,
} satisfies Subject;
