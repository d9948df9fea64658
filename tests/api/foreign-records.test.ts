import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { permissions } from '@/lib/access/permissions';
import { distributeEvents } from '@/lib/developers/webhooks/deliver';
import { createEndpoint } from '@/lib/developers/webhooks/endpoints';
import { newId } from '@/lib/ids';
import { issueInvoices } from '@/lib/invoices/issue';
import { listDocuments } from '@/lib/invoices/list-documents';
import { documentNumber } from '@/lib/invoices/numbers';
import { openCart } from '@/lib/orders/carts/queries';
import { createReportBody } from '@/lib/orders/client-reports/contract';
import { createReport } from '@/lib/orders/client-reports/reports';
import { createOrder } from '@/lib/orders/order/create';
import { createQuote } from '@/lib/orders/order/quotes';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { requestPayout } from '@/lib/payouts/request';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeTransferRequest } from '@/tests/factories/make-bank-transfer';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makePaidTopup } from '@/tests/factories/make-source-refund';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendUpload } from '@/tests/setup/send-body';
import { routes } from './routes';

/** All records of one buyer and one seller, which `stranger` and `otherSeller` must not reach. */
let owner = openClient();
let stranger = openClient();
let seller = openClient();
let otherSeller = openClient();
let admin = openClient();
/** Staff with every permission but ManageOrders. */
let staff = openClient();
const own = {
  projectId: '',
  cartId: '',
  quoteId: '',
  requestId: '',
  orderId: 0,
  disputeId: '',
  changeId: newId(),
  topupId: newId(),
  siteId: 0,
  siteName: `Own ${newId()}`,
  payoutId: '',
  refundId: '',
  reference: '',
  paidTopupId: '',
  endpointId: '',
  reportId: '',
  invoice: '',
  email: '',
  userId: '',
};

const reportBody = {
  ...{ from: '2026-01-01', to: '2026-01-31', prices: 'none' },
  brand: { name: 'Agency', color: '#2563eb' },
};

/** A unique amount, so that a balance or a transaction is recognizable. */
const spentCents = 1_234_567;
const leftCents = 7_654_321;

beforeAll(async () => {
  const [buyer, vendor] = [await makeUser(), await makeUser('Seller')];
  const paidCents = 10_000;
  await fundWallet(buyer.userId, spentCents + leftCents - paidCents);
  own.paidTopupId = await makePaidTopup(buyer, { amountCents: paidCents });
  own.refundId = (await requestRefund(buyer, { topupId: own.paidTopupId, amountCents: 4_000, reason: '' })).id;
  own.siteId = await makeSite(vendor.userId, spentCents, { name: own.siteName, isFulfilledByStaff: false });
  own.projectId = await makeProject(buyer);
  own.cartId = (await openCart(buyer, own.projectId)).id;
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId: own.projectId, siteIds: [own.siteId] });
  own.orderId = orders[0]?.id ?? 0;
  own.quoteId = (await createQuote(buyer, { kind: 'custom', projectId: own.projectId, siteIds: [own.siteId] })).id;
  await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 0 });
  const held = await createOrder(buyer, { kind: 'custom', projectId: own.projectId, siteIds: [own.siteId] });
  own.requestId = held.requestId ?? '';
  await savePolicy(buyer, buyer.accountId, {});
  own.disputeId = (await makeDispute('delivered', { buyer, seller: vendor })).id;
  await makePayableSeller(20_000, { seller: vendor });
  own.payoutId = (await requestPayout(vendor, {})).id;
  const hook = { url: 'https://hooks.example.com/own', events: ['order.created' as const], description: '' };
  own.endpointId = (await createEndpoint(buyer, 'own', hook)).id;
  await distributeEvents();
  own.reportId = (await createReport(buyer, own.projectId, createReportBody.parse(reportBody))).id;
  // The app's own job may be issuing at this moment.
  await vi.waitFor(async () => {
    await issueInvoices();
    own.invoice = (await listDocuments(buyer, { limit: 1 })).rows.map(documentNumber).join();
    expect(own.invoice).not.toBe('');
  });
  own.reference = (await makeTransferRequest(buyer)).reference;
  own.email = buyer.email;
  own.userId = buyer.userId;
  await makeTopup(buyer, {
    id: own.topupId,
    provider: 'wechat',
    mode: 'sandbox',
    amountCents: 1_000,
    chargeAmountMinor: 7_200,
    chargeCurrency: 'CNY',
    rateMicros: 7_200_000,
    payCode: `weixin://wxpay/bizpayurl?pr=${own.topupId}`,
  });
  [owner, stranger, seller, otherSeller, admin, staff] = await Promise.all([
    openSession(buyer.userId),
    openSession((await makeUser()).userId),
    openSession(vendor.userId),
    openSession((await makeUser('Seller')).userId),
    openSession((await makeUser('Admin')).userId),
    openSession((await makeStaff(...permissions.filter((one) => one !== 'ManageOrders'))).userId),
  ]);
});

/** Endpoints about the caller's own records: path, owner, and a text that only the owner's response contains. */
const lists: [address: string, whose: 'buyer' | 'seller', mark: () => string][] = [
  ['GET /api/user/auth/me', 'buyer', () => own.email],
  ['GET /api/orders', 'buyer', () => `"id":${own.orderId},`],
  ['GET /api/user/projects', 'buyer', () => own.projectId],
  ['GET /api/user/carts', 'buyer', () => own.cartId],
  ['GET /api/user/requests', 'buyer', () => own.requestId],
  ['GET /api/invoices', 'buyer', () => own.invoice],
  ['GET /api/user/documents', 'buyer', () => own.invoice],
  ['GET /api/wallet', 'buyer', () => String(leftCents)],
  ['GET /api/wallet/balance', 'buyer', () => String(leftCents)],
  ['GET /api/wallet/transactions', 'buyer', () => String(spentCents)],
  ['GET /api/wallet/refund-requests', 'buyer', () => own.refundId],
  ['GET /api/webhooks', 'buyer', () => own.endpointId],
  ['GET /api/events', 'buyer', () => `"orderId":${own.orderId}`],
  ['GET /api/seller/orders', 'seller', () => `"id":${own.orderId},`],
  ['GET /api/seller/payout-method', 'seller', () => '"lastFour":"1234"'],
  ['GET /api/seller/payouts', 'seller', () => own.payoutId],
  ['GET /api/seller/sites', 'seller', () => own.siteName],
  ['GET /api/seller/sites/stats', 'seller', () => '"approved":3'],
];

type Foreign = [
  address: string,
  send: (client: ReturnType<typeof openClient>) => Promise<{ status: number; body: unknown }>,
];

/** Endpoints that name a record in the path or body, called with the owner's. */
const records: Foreign[] = [
  ['GET /api/orders/[id]', (client) => client.get(`/api/orders/${own.orderId}`)],
  ['POST /api/orders/[id]/approve', (client) => client.post(`/api/orders/${own.orderId}/approve`, {})],
  ['POST /api/orders/[id]/cancel', (client) => client.post(`/api/orders/${own.orderId}/cancel`, {})],
  ['POST /api/orders/[id]/extension', (client) => client.post(`/api/orders/${own.orderId}/extension`, { grant: true })],
  ['GET /api/orders/[id]/changes', (client) => client.get(`/api/orders/${own.orderId}/changes`)],
  [
    'POST /api/orders/[id]/changes',
    (client) => client.post(`/api/orders/${own.orderId}/changes`, { text: 'Use the new page' }),
  ],
  [
    'POST /api/orders/[id]/changes/[changeId]/approve',
    (client) => client.post(`/api/orders/${own.orderId}/changes/${own.changeId}/approve`, {}),
  ],
  [
    'POST /api/orders/[id]/changes/[changeId]/withdraw',
    (client) => client.post(`/api/orders/${own.orderId}/changes/${own.changeId}/withdraw`, {}),
  ],
  [
    'POST /api/orders/[id]/guarantee',
    (client) => client.post(`/api/orders/${own.orderId}/guarantee`, { optionId: newId() }),
  ],
  [
    'POST /api/orders/[id]/revision',
    (client) => client.post(`/api/orders/${own.orderId}/revision`, { reason: 'Anchor' }),
  ],
  [
    'POST /api/orders/[id]/dispute',
    (client) => client.post(`/api/orders/${own.orderId}/dispute`, { reason: 'other', text: 'Wrong anchor' }),
  ],
  ['GET /api/orders/[id]/content/download', (client) => client.get(`/api/orders/${own.orderId}/content/download`)],
  ['GET /api/orders/[id]/brief/article', (client) => client.get(`/api/orders/${own.orderId}/brief/article`)],
  [
    'PUT /api/orders/[id]/brief',
    (client) => client.request(`/api/orders/${own.orderId}/brief`, { method: 'PUT', body: { anchor: 'mine' } }),
  ],
  ['GET /api/orders/[id]/messages', (client) => client.get(`/api/orders/${own.orderId}/messages`)],
  ['POST /api/orders/[id]/messages', (client) => client.post(`/api/orders/${own.orderId}/messages`, { text: 'Hello' })],
  [
    'GET /api/orders/[id]/messages/files/[fileId]',
    (client) => client.get(`/api/orders/${own.orderId}/messages/files/${newId()}`),
  ],
  ['GET /api/orders/[id]/checks', (client) => client.get(`/api/orders/${own.orderId}/checks`)],
  ['POST /api/orders/[id]/checks', (client) => client.post(`/api/orders/${own.orderId}/checks`, {})],
  [
    'DELETE /api/user/projects/[id]',
    (client) => client.request(`/api/user/projects/${own.projectId}`, { method: 'DELETE' }),
  ],
  [
    'PUT /api/user/projects/[id]',
    (client) =>
      client.request(`/api/user/projects/${own.projectId}`, {
        method: 'PUT',
        body: {
          ...{ domain: 'shop.example.com', description: 'A shop', niche: 'General', postType: 'Guest posts' },
          ...{ country: 'USA', targetUrl: 'https://shop.example.com/a', keywords: 'spade' },
        },
      }),
  ],
  ['GET /api/user/projects/[id]', (client) => client.get(`/api/user/projects/${own.projectId}`)],
  [
    'GET /api/user/projects/[id]/anchor-plan',
    (client) => client.get(`/api/user/projects/${own.projectId}/anchor-plan`),
  ],
  [
    'GET /api/user/projects/[id]/anchor-plan/next',
    (client) => client.get(`/api/user/projects/${own.projectId}/anchor-plan/next`),
  ],
  [
    'PUT /api/user/projects/[id]/anchor-plan',
    (client) =>
      client.request(`/api/user/projects/${own.projectId}/anchor-plan`, {
        method: 'PUT',
        body: {
          plan: { brand: 45, address: 20, generic: 15, partial: 12, exact: 5, image: 3, none: 0 },
          ...{ brandWords: [], pool: [] },
        },
      }),
  ],
  [
    'PUT /api/user/projects/[id]/budget',
    (client) =>
      client.request(`/api/user/projects/${own.projectId}/budget`, { method: 'PUT', body: { monthlyCents: 1 } }),
  ],
  ['GET /api/user/accounts/[id]/policy', (client) => client.get(`/api/user/accounts/${own.userId}/policy`)],
  [
    'PUT /api/user/accounts/[id]/policy',
    (client) => client.request(`/api/user/accounts/${own.userId}/policy`, { method: 'PUT', body: {} }),
  ],
  ['GET /api/user/requests/[id]', (client) => client.get(`/api/user/requests/${own.requestId}`)],
  ['POST /api/user/requests/[id]/approve', (client) => client.post(`/api/user/requests/${own.requestId}/approve`, {})],
  ['POST /api/user/requests/[id]/decline', (client) => client.post(`/api/user/requests/${own.requestId}/decline`, {})],
  ['GET /api/user/projects/[id]/links', (client) => client.get(`/api/user/projects/${own.projectId}/links`)],
  ['POST /api/user/carts', (client) => client.post('/api/user/carts', { projectId: own.projectId })],
  ['GET /api/user/carts/[id]', (client) => client.get(`/api/user/carts/${own.cartId}`)],
  [
    'PATCH /api/user/carts/[id]',
    (client) =>
      client.request(`/api/user/carts/${own.cartId}`, { method: 'PATCH', body: { name: 'Mine', version: 1 } }),
  ],
  [
    'PUT /api/user/carts/[id]/items',
    (client) =>
      client.request(`/api/user/carts/${own.cartId}/items`, { method: 'PUT', body: { items: [], version: 1 } }),
  ],
  ['POST /api/user/carts/[id]/order', (client) => client.post(`/api/user/carts/${own.cartId}/order`, {})],
  ['DELETE /api/user/carts/[id]', (client) => client.request(`/api/user/carts/${own.cartId}`, { method: 'DELETE' })],
  [
    'GET /api/user/projects/[id]/linked-domains',
    (client) => client.get(`/api/user/projects/${own.projectId}/linked-domains`),
  ],
  ...(['GET', 'PUT'] as const).map(
    (method): Foreign => [
      `${method} /api/user/projects/[id]/blocklist`,
      (client) =>
        client.request(`/api/user/projects/${own.projectId}/blocklist`, {
          method,
          ...(method === 'PUT' && { body: { domains: ['a.example.com'] } }),
        }),
    ],
  ),
  [
    'POST /api/user/carts/[id]/import',
    (client) =>
      sendUpload(client, `/api/user/carts/${own.cartId}/import`, {
        content: new Uint8Array(Buffer.from('site\na.example\n')),
        name: 'cart.csv',
      }),
  ],
  ['GET /api/user/projects/[id]/reports', (client) => client.get(`/api/user/projects/${own.projectId}/reports`)],
  [
    'POST /api/user/projects/[id]/reports',
    (client) => client.post(`/api/user/projects/${own.projectId}/reports`, reportBody),
  ],
  [
    'DELETE /api/user/projects/[id]/reports/[reportId]',
    (client) => client.request(`/api/user/projects/${own.projectId}/reports/${own.reportId}`, { method: 'DELETE' }),
  ],
  [
    'POST /api/user/projects/[id]/linked-domains',
    (client) =>
      sendUpload(client, `/api/user/projects/${own.projectId}/linked-domains`, {
        content: new Uint8Array(Buffer.from('a.example\n')),
        name: 'list.csv',
      }),
  ],
  [
    'DELETE /api/user/projects/[id]/linked-domains',
    (client) => client.request(`/api/user/projects/${own.projectId}/linked-domains`, { method: 'DELETE' }),
  ],
  ['GET /api/wallet/topup/bank/[reference]', (client) => client.get(`/api/wallet/topup/bank/${own.reference}.pdf`)],
  [
    'POST /api/quotes',
    (client) => client.post('/api/quotes', { kind: 'custom', projectId: own.projectId, siteIds: [own.siteId] }),
  ],
  [
    'POST /api/quotes/[id]/place',
    (client) => client.post(`/api/quotes/${own.quoteId}/place`, { expectedTotalCents: spentCents }),
  ],
  [
    'POST /api/orders',
    (client) => client.post('/api/orders', { kind: 'custom', projectId: own.projectId, siteIds: [own.siteId] }),
  ],
];

/** Endpoints that name a refund to the payment method, or the top-up that it is for, called with those of another user. */
const refundRecords = [
  'GET /api/wallet/refund-requests/[id]',
  'DELETE /api/wallet/refund-requests/[id]',
  'POST /api/wallet/refund-requests',
];

/** Endpoints of sellers that name an order in the path, called with the order of another seller's site. */
const sellerRecords = [
  'GET /api/seller/orders/[id]',
  'GET /api/seller/orders/[id]/changes',
  'POST /api/seller/orders/[id]/changes/[changeId]/accept',
  'POST /api/seller/orders/[id]/changes/[changeId]/decline',
  'POST /api/seller/orders/[id]/changes/[changeId]/deliver',
  'POST /api/seller/orders/[id]/changes/[changeId]/reprice',
  'POST /api/seller/orders/[id]/accept',
  'POST /api/seller/orders/[id]/decline',
  'POST /api/seller/orders/[id]/deliver',
  'POST /api/seller/orders/[id]/dispute',
  'POST /api/seller/orders/[id]/extension',
  'GET /api/seller/orders/[id]/publish',
  'POST /api/seller/orders/[id]/publish',
  'POST /api/seller/orders/[id]/release',
  'POST /api/seller/orders/[id]/repaired',
  'POST /api/seller/orders/[id]/restore',
  // tests/domain/wordpress.test.ts
  'GET /api/seller/sites/[id]/wordpress',
  'PUT /api/seller/sites/[id]/wordpress',
  'DELETE /api/seller/sites/[id]/wordpress',
  'POST /api/seller/sites/[id]/wordpress/connect',
  // tests/api/seller-sites.test.ts
  'POST /api/seller/sites/[id]/ownership',
  'POST /api/seller/sites/[id]/ownership/check',
  'GET /api/seller/sites/[id]/options',
  'PUT /api/seller/sites/[id]/options',
  'GET /api/seller/orders/[id]/brief/article',
  'GET /api/seller/orders/[id]/messages',
  'POST /api/seller/orders/[id]/messages',
  'GET /api/seller/orders/[id]/messages/files/[fileId]',
];

/** Endpoints of both parties of a dispute, called with the dispute of others. */
const disputeRecords = [
  'GET /api/disputes/[id]',
  'POST /api/disputes/[id]/proposals',
  'POST /api/disputes/[id]/proposals/[n]/accept',
  'POST /api/disputes/[id]/withdraw',
];

/** Endpoints of sellers that name a payout, called with the payout of another seller. */
const payoutRecords = ['DELETE /api/seller/payouts/[id]'];

/** Addresses that name a webhook endpoint, called with the endpoint of another user. */
const webhookRecords = [
  'PATCH /api/webhooks/[id]',
  'DELETE /api/webhooks/[id]',
  'POST /api/webhooks/[id]/test',
  'POST /api/webhooks/[id]/rotate',
  'GET /api/webhooks/[id]/deliveries',
  'POST /api/webhooks/[id]/deliveries',
  'POST /api/webhooks/[id]/deliveries/[deliveryId]/retry',
];

/** Endpoints without a record of a user, or that only create one for the caller. */
const withoutForeigners = [
  // tests/domain/api-tokens.test.ts revokes and lists as another user.
  'GET /api/tokens',
  'POST /api/tokens',
  'DELETE /api/tokens/[id]',
  'GET /api/auth/reauthenticate',
  'POST /api/auth/reauthenticate',
  'GET /api/acl/my-permissions',
  'GET /api/guest-posts',
  // The public fields of listings on sale (guest-posts.test.ts).
  'GET /api/guest-posts/[id]',
  'GET /api/guest-posts/counts',
  'POST /api/mcp',
  'GET /api/niches-types',
  'GET /api/packages',
  'GET /api/user/packages',
  // Names sites in the body (tests/domain/sites-own-bulk.test.ts).
  'POST /api/seller/sites/bulk',
  'POST /api/brief-articles',
  // The key contains the caller's id (tests/domain/direct-uploads.test.ts).
  'POST /api/uploads',
  'POST /api/tools/seo/suggest',
  'GET /api/profile/avatar',
  'POST /api/profile/avatar',
  'DELETE /api/profile/avatar',
  'POST /api/user/projects',
  // tests/domain/billing-profiles.test.ts
  'GET /api/user/billing-profile',
  'PUT /api/user/billing-profile',
  // tests/domain/block-list.test.ts
  'GET /api/user/blocklist',
  'PUT /api/user/blocklist',
  // An id of another user is answered with not_found in the list (tests/domain/orders-tabs.test.ts,
  // placements-verbs.test.ts).
  'POST /api/orders/approve',
  'POST /api/seller/orders/accept',
  'POST /api/seller/orders/decline',
  'GET /user/orders/export',
  'GET /user/wallet/export',
  'POST /api/webhooks',
  'POST /api/user/payments/stripe/checkout',
  'POST /api/wallet/topup/bank',
  'POST /api/wallet/topup/paypal',
  'POST /api/wallet/topup/wechat',
  'GET /api/seller/auth/me',
  'PUT /api/seller/payout-method',
  'DELETE /api/seller/payout-method',
  'POST /api/seller/payouts',
  'POST /api/seller/sites',
  'POST /api/seller/sites/upload',
  // tests/domain/edit-sites-by-file.test.ts
  'POST /api/seller/sites/import',
  'GET /api/seller/earnings',
  'GET /api/seller/record',
  'GET /api/seller/statement',
  'GET /seller/earnings/export',
  'GET /seller/earnings/pdf',
  // tests/api/invoices.test.ts and tests/domain/documents.test.ts: staff read those of others.
  'GET /api/invoices/[file]',
  'GET /seller/my-sites/template',
  'GET /seller/my-sites/export',
];

describe("another user's records", () => {
  it('cover every endpoint available outside the admin area', () => {
    const listed = [...lists, ...records].map(([address]) => address);
    const open = routes.filter(({ access }) => isOpenToUsers(access) || access === 'seller');
    const others = [
      ...sellerRecords,
      ...disputeRecords,
      ...payoutRecords,
      ...refundRecords,
      ...webhookRecords,
      ...withoutForeigners,
    ];
    expect([...listed, ...others].sort()).toEqual(open.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(lists)('%s returns to a %s only their own', async (address, whose, mark) => {
    const month = new Date().toISOString().slice(0, 7);
    const queries: Record<string, string> = { '/api/user/documents': `?month=${month}&format=csv` };
    const endpoint = address.replace('GET ', '');
    const path = `${endpoint}${queries[endpoint] ?? ''}`;
    const [mine, theirs] = whose === 'buyer' ? [owner, stranger] : [seller, otherSeller];
    expect(JSON.stringify((await mine.get(path)).body)).toContain(mark());
    const answer = await theirs.get(path);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(mark());
  });

  it.each(records)("%s: another user's record is not found for buyer, seller and admin", async (_, send) => {
    // `seller` fulfills the order, which opens only the addresses of sellers.
    const callers = Object.entries({ stranger, seller, otherSeller, admin });
    const answers = await Promise.all(callers.map(async ([name, client]) => [name, await send(client)] as const));
    for (const [name, { status, body }] of answers)
      expect({ name, status, body }).toEqual({ name, status: 404, body: { error: expect.any(String) } });
  });

  it.each(records.map(([address]) => address))(
    "%s responds to another user's record as to an unknown one",
    async (address) => {
      const [method = '', path = ''] = address.split(' ');
      const unknown = path.includes('projects') ? newId() : '999999999';
      const ask = (client: typeof owner, id: string | number) =>
        path.includes('[id]')
          ? client.request(path.replace('[id]', String(id)), { method })
          : client.post(path, { kind: 'custom', projectId: id, siteIds: [own.siteId] });
      const foreign = await ask(stranger, path.includes('/orders/') ? own.orderId : own.projectId);
      const none = await ask(stranger, path === '/api/orders' ? newId() : unknown);
      const said = ({ status, body }: typeof none) => ({ status, text: JSON.stringify(body).replace(/#\d+/, '#') });
      expect(said(foreign)).toEqual(said(none));
    },
  );

  it.each(disputeRecords)('%s responds to a dispute of others as to an unknown one', async (address) => {
    const [method = '', path = ''] = address.split(' ');
    for (const client of [stranger, otherSeller]) {
      const [foreign, none] = await Promise.all(
        [own.disputeId, newId()].map((id) =>
          client.request(path.replace('[id]', id).replace('[n]', '1'), {
            method,
            ...(method === 'POST' && { body: { buyerPercent: 50 } }),
          }),
        ),
      );
      expect(foreign?.status).toBe(404);
      expect(foreign).toMatchObject({ status: none?.status, body: none?.body });
    }
  });

  it.each(disputeRecords)('%s: staff read a dispute with ManageOrders, and do not take part in it', async (address) => {
    const [method = '', path = ''] = address.split(' ');
    const send = (client: typeof staff) =>
      client.request(path.replace('[id]', own.disputeId).replace('[n]', '1'), {
        method,
        ...(method === 'POST' && { body: { buyerPercent: 50 } }),
      });
    expect((await send(admin)).status).toBe(method === 'GET' ? 200 : 403);
    expect((await send(staff)).status).toBe(404);
  });

  it.each(sellerRecords)("%s responds to another seller's order as to an unknown one", async (address) => {
    const [method = '', path = ''] = address.split(' ');
    const ask = async (client: typeof seller, id: number) => {
      const sent = bodies[address];
      const { status, body } = await client.request(path.replace('[id]', String(id)), {
        method,
        ...(sent !== undefined && { body: sent }),
      });
      return { status, text: JSON.stringify(body).replace(/#\d+/, '#') };
    };
    const foreign = await ask(otherSeller, own.orderId);
    expect(foreign).toEqual(await ask(otherSeller, 999_999_999));
    expect(foreign.status).toBe(404);
  });

  it.each(refundRecords)(
    '%s responds to the refund or top-up of another user as to an unknown one',
    async (address) => {
      const [method = '', path = ''] = address.split(' ');
      const ask = async (client: typeof owner, refundId: string, topupId: string) => {
        const body = { topupId, amountCents: 1_000, reason: '' };
        const answer = await client.request(path.replace('[id]', refundId), {
          method,
          ...(method === 'POST' && { body }),
        });
        return { status: answer.status, body: answer.body };
      };
      const unknown = await ask(stranger, newId(), newId());
      for (const client of [stranger, seller, staff, admin]) {
        expect(await ask(client, own.refundId, own.paidTopupId)).toEqual(unknown);
      }
      expect(unknown.status).toBe(404);
    },
  );

  it.each(payoutRecords)("%s responds to another seller's payout as to an unknown one", async (address) => {
    const [method = '', path = ''] = address.split(' ');
    const ask = async (client: typeof seller, id: string) => {
      const { status, body } = await client.request(path.replace('[id]', id), { method });
      return { status, body };
    };
    const foreign = await ask(otherSeller, own.payoutId);
    expect(foreign).toEqual(await ask(otherSeller, newId()));
    expect(foreign.status).toBe(404);
  });

  it.each(webhookRecords)("%s responds to another user's webhook endpoint as to an unknown one", async (address) => {
    const [method = '', path = ''] = address.split(' ');
    const ask = async (client: typeof seller, id: string) => {
      const body = bodies[address];
      const { status, body: answer } = await client.request(path.replace('[id]', id).replace('[deliveryId]', newId()), {
        method,
        ...(body !== undefined && { body }),
      });
      return { status, answer };
    };
    // For admins too: the installation has its own endpoints.
    for (const client of [stranger, seller, admin]) {
      const foreign = await ask(client, own.endpointId);
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(await ask(client, newId()));
    }
  });

  it("the pay code page of another user's top-up is not found", async () => {
    const path = `/user/wallet/wechat/${own.topupId}`;
    expect(String((await owner.get(path)).body)).toContain('Scan the code with WeChat');
    for (const client of [stranger, admin]) {
      const answer = await client.get(path);
      // Where the page has begun to stream, the router's own marker replaces the status.
      expect(answer.status === 404 || String(answer.body).includes('NEXT_HTTP_ERROR_FALLBACK;404')).toBe(true);
      expect(String(answer.body)).not.toContain(`pr=${own.topupId}`);
    }
  });
});

/** Bodies that would change an existing record; other endpoints need none. */
const bodies: Record<string, unknown> = {
  'PATCH /api/webhooks/[id]': { isEnabled: false },
  'POST /api/webhooks/[id]/deliveries': { eventId: newId() },
  'POST /api/seller/orders/[id]/changes/[changeId]/decline': { reason: 'Off topic' },
  'POST /api/seller/orders/[id]/changes/[changeId]/reprice': { cents: 1_500, reason: 'A long article' },
  'POST /api/seller/orders/[id]/decline': { reason: 'Off topic' },
  'POST /api/seller/orders/[id]/deliver': { url: 'https://blog.example.com/article' },
  'PUT /api/seller/sites/[id]/wordpress': { publish: 'live' },
  'POST /api/seller/orders/[id]/publish': { title: 'Gardens', content: 'Tools.' },
  'POST /api/seller/orders/[id]/extension': { days: 3, reason: 'Illness' },
  'PUT /api/seller/sites/[id]/options': { options: [] },
  'POST /api/seller/orders/[id]/dispute': { reason: 'other', text: 'The change is not part of the brief.' },
};
