import { Readable } from 'node:stream';
import { and, asc, eq, getTableColumns, inArray, like, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { projectAnchorPlans } from '@/db/schema/anchor-plans';
import { apiTokens } from '@/db/schema/api-tokens';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { cartItems, carts } from '@/db/schema/carts';
import { clientReports } from '@/db/schema/client-reports';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { events } from '@/db/schema/events';
import { featureRoles } from '@/db/schema/feature-roles';
import { ledgerAccounts } from '@/db/schema/ledger';
import { licenses } from '@/db/schema/licenses';
import { rateLimits } from '@/db/schema/limits';
import { orderChanges } from '@/db/schema/order-changes';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { checkouts, orderQuotes, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { type PayoutState, payoutMethods, payouts } from '@/db/schema/payouts';
import { orderBriefs, placementEvents, placements } from '@/db/schema/placements';
import { projects } from '@/db/schema/projects';
import { settings } from '@/db/schema/settings';
import { siteOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { billingProfiles } from '@/db/schema/tax';
import { niches } from '@/db/schema/taxonomy';
import { topups } from '@/db/schema/topups';
import { rolePermissions, roles, users } from '@/db/schema/users';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { orderPosts, siteWordpress } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { createAccount } from '@/lib/accounts/create';
import { createEmailToken } from '@/lib/auth/email-token';
import { createEndpointBody } from '@/lib/developers/webhooks/contract';
import { newId } from '@/lib/ids';
import { uploadArticle } from '@/lib/orders/briefs/articles';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';
import { createOrder } from '@/lib/orders/order/create';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { openMethodDetails } from '@/lib/payouts/methods/show';
import { saveOptions } from '@/lib/sites/options/save';
import { changeOwnSites } from '@/lib/sites/own-bulk/change';
import { ownBulkBody } from '@/lib/sites/own-bulk/schemas';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makePartialTransfer, offerBankTransfers } from '@/tests/factories/make-bank-transfer';
import { type MadeDispute, makeDispute } from '@/tests/factories/make-dispute';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { bankAccount, makePayableSeller, makePayout } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeRequest } from '@/tests/factories/make-request';
import { makeSite } from '@/tests/factories/make-site';
import { makePaidTopup, makeSourceRefund } from '@/tests/factories/make-source-refund';
import { makeRole } from '@/tests/factories/make-staff';
import { makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { makeWebhookEndpoint, removeEarlierEndpoints } from '@/tests/factories/make-webhook-endpoint';
import { makeWordPress } from '@/tests/factories/make-wordpress';
import { operatorAccounts } from '@/tests/setup/bank-credits';
import { acceptAsked, ask, changeOf, reprice } from '@/tests/setup/change-verbs';
import { openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { accept, approve, askForDays, deliver } from '@/tests/setup/placement-verbs';

type Client = ReturnType<typeof openClient>;

/** A valid call by an admitted user on its own records. */
export type JsonCall = {
  client: Client;
  path: string;
  /** Every declared field of the endpoint, so that all others are undeclared. */
  body: Record<string, unknown>;
  /** What the call writes, read from the database; also the caller's permissions and balance. */
  written: () => Promise<unknown>;
  /** The installation of these tests has no bucket: a valid body is answered with 503. */
  isNotConfigured?: true;
  /** The endpoint rejects undeclared fields. */
  isStrict?: boolean;
};

async function signedIn(role: 'Admin' | 'User' | 'Seller'): Promise<{ client: Client; actor: Actor }> {
  const actor = await makeAccount({ role });
  return { client: await openSession(actor.userId), actor };
}

const person = (userId: string) => db().select().from(users).where(eq(users.id, userId));
const payoutRows = (sellerId: string) => db().select().from(payouts).where(eq(payouts.sellerId, sellerId));
const requestRows = (beneficiaryId: string) =>
  db()
    .select({ kind: approvals.kind, payload: approvals.payload, state: approvals.state })
    .from(approvals)
    .where(eq(approvals.beneficiaryId, beneficiaryId));
/** The encrypted details differ between calls. */
const methodRows = async (sellerId: string) =>
  (await db().select().from(payoutMethods).where(eq(payoutMethods.sellerId, sellerId))).map((method) => ({
    ...{
      sellerId: method.sellerId,
      kind: method.kind,
      lastFour: method.lastFour,
      isCurrent: method.replacedAt === null,
    },
    details: openMethodDetails(method),
  }));
/**
 * The secret, the id and the times differ between calls, and so do the failures: an installation's endpoint also receives
 * the events of tests that run at the same time.
 */
const endpointRows = (ownerId: string) => () =>
  db()
    .select({
      ownerId: webhookEndpoints.ownerId,
      isInstallation: webhookEndpoints.isInstallation,
      url: webhookEndpoints.url,
      events: webhookEndpoints.events,
      description: webhookEndpoints.description,
      isEnabled: webhookEndpoints.isEnabled,
      offReason: webhookEndpoints.offReason,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.ownerId, ownerId));
/**
 * The deliveries of one event: an installation's endpoint also receives those of tests that run at the same time. Waits for
 * the attempt, which the job may have leased before the request.
 */
const deliveryRows = (endpointId: string, eventId: string) => async () => {
  for (const deadline = Date.now() + 10_000; ; ) {
    const rows = await db()
      .select({ state: webhookDeliveries.state, isAttempted: sql<boolean>`${webhookDeliveries.attempts} > 0` })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.eventId, eventId)));
    if (Date.now() > deadline || rows.every(({ isAttempted }) => isAttempted)) return rows;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const webhookBody = { url: 'https://hooks.example.com/receive', events: ['order.created'], description: 'Orders' };
/** An endpoint, and an event of its audience that was not sent to it. */
async function makeEndpoint(actor: Actor, scope: 'own' | 'installation' = 'own') {
  const isOwn = scope === 'own';
  const id = await makeWebhookEndpoint(actor, { isInstallation: !isOwn, ...createEndpointBody.parse(webhookBody) });
  const eventId = newId();
  await db()
    .insert(events)
    .values({
      id: eventId,
      type: 'order.created',
      audience: isOwn ? 'buyer' : 'installation',
      accountId: isOwn ? actor.userId : null,
      data: { orderId: 1 },
    });
  return { id, eventId };
}
const ofPayout = (state: PayoutState, step: string, body: Record<string, unknown>) => () =>
  byAdmin(async () => {
    const { payout } = await makePayout(state);
    const path = `/api/admin/payouts/${payout.id}/${step}`;
    const rows = async () => [await payoutRows(payout.sellerId), await requestRows(payout.sellerId)];
    return { path, body: { ...body, version: payout.version }, rows };
  });
const refundRows = (userId: string) =>
  db()
    .select({
      topupId: sourceRefunds.topupId,
      amountCents: sourceRefunds.amountCents,
      chargeMinor: sourceRefunds.chargeMinor,
      state: sourceRefunds.state,
      reason: sourceRefunds.reason,
      answer: sourceRefunds.answer,
      requestedBy: sourceRefunds.requestedBy,
      approvedBy: sourceRefunds.approvedBy,
      declinedBy: sourceRefunds.declinedBy,
      providerReference: sourceRefunds.providerReference,
    })
    .from(sourceRefunds)
    .where(eq(sourceRefunds.accountId, userId));
const ofRefund = (step: string, body: Record<string, unknown>) => () =>
  byAdmin(async () => {
    const { refund, buyer } = await makeSourceRefund('requested');
    return { path: `/api/admin/wallet/refunds/${refund.id}/${step}`, body, rows: () => refundRows(buyer.userId) };
  });
const requestColumns = { amountCents: bankTransferRequests.amountCents, currency: bankTransferRequests.currency };
const lineRows = (userId: string) =>
  db()
    .select({ state: bankLines.state, reason: bankLines.reason, note: bankLines.note, cents: bankLines.creditedCents })
    .from(bankLines)
    .where(eq(bankLines.accountId, userId));
const ofBankLine = (step: string, given: Record<string, unknown>) => () =>
  byAdmin(async (admin) => {
    const buyer = await makeUser();
    const request = await makePartialTransfer(admin, buyer);
    const [line] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
    const payer = { accountId: buyer.userId, email: buyer.email, reference: request.reference };
    const body = { ...(step === 'credit' && { userId: buyer.userId }), ...payer, ...given };
    return { path: `/api/admin/bank-transfers/${line?.id}/${step}`, body, rows: () => lineRows(buyer.userId) };
  });
const wallet = (userId: string) =>
  db()
    .select({ kind: ledgerAccounts.kind, balanceCents: ledgerAccounts.balanceCents, currency: ledgerAccounts.currency })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.owner, userId));

/** A call by an admin on a record that `make` creates. */
async function byAdmin(
  make: (admin: Actor) => Promise<Omit<JsonCall, 'client' | 'written'> & { rows: () => Promise<unknown> }>,
): Promise<JsonCall> {
  const { client, actor } = await signedIn('Admin');
  const { rows, ...call } = await make(actor);
  const written = async () => ({ rows: await rows(), sender: await person(actor.userId) });
  return { client, ...call, written };
}

async function byBuyer(
  make: (buyer: Actor) => Promise<Omit<JsonCall, 'client' | 'written'> & { rows: () => Promise<unknown> }>,
): Promise<JsonCall> {
  const { client, actor } = await signedIn('User');
  await fundWallet(actor.userId, 100_000);
  const { rows, ...call } = await make(actor);
  const written = async () => ({
    rows: await rows(),
    sender: await person(actor.userId),
    wallet: await wallet(actor.userId),
  });
  return { client, ...call, written };
}

const signIn = (portal: 'user' | 'admin' | 'seller', role: 'Admin' | 'User' | 'Seller') => async () => {
  const { userId, email } = await makeAccount({ role });
  return {
    client: openClient(),
    path: `/api/${portal}/auth/login`,
    body: { email, password: testPassword, remember: false, code: '', agreedTo: { terms: 1, privacy: 1 } },
    written: () => person(userId),
  };
};

const register = (path: string) => async () => {
  const email = `${newId()}@example.com`;
  return {
    client: openClient(),
    path,
    body: { name: 'A newcomer', email, password: testPassword, agreedTo: { terms: 1, privacy: 1 } },
    written: () => db().select().from(users).where(eq(users.email, email)),
  };
};

const byEmail = (path: string) => async () => {
  const { userId, email } = await makeAccount();
  return { client: openClient(), path, body: { email }, written: () => person(userId) };
};

const quoteRows = (userId: string) => () =>
  db()
    .select({ userId: orderQuotes.accountId, totalCents: orderQuotes.totalCents })
    .from(orderQuotes)
    .where(eq(orderQuotes.accountId, userId));

const topUp = (path: string) => () =>
  byBuyer(async ({ userId }) => ({
    path,
    body: { amount: 25, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' },
    rows: () =>
      db()
        .select({
          userId: topups.accountId,
          provider: topups.provider,
          mode: topups.mode,
          amountCents: topups.amountCents,
          chargeAmountMinor: topups.chargeAmountMinor,
          status: topups.status,
          paidAt: topups.paidAt,
        })
        .from(topups)
        .where(eq(topups.accountId, userId)),
  }));

const packageFields = (name: string) => ({
  name,
  price: 120,
  desc: 'Ten links',
  currency: 'USD',
  links: 'site,price\nexample.com,12',
  isOnSale: false,
});

async function makePackage(values: Partial<typeof packages.$inferInsert> = {}): Promise<number> {
  const [made] = await db()
    .insert(packages)
    .values({ name: `Package ${newId()}`, priceCents: 5_000, isOnSale: true, ...values })
    .returning({ id: packages.id });
  return made?.id ?? 0;
}

const siteFields = (host: string) => ({
  url: `https://${host}.example.com`,
  name: `Site ${host}`,
  ...{ niche: 'General', postType: 'Guest posts', country: 'USA', language: 'English', followType: 'DoFollow' },
  ...{ dr: 40, da: 41, traffic: 5_000, spam: 3, tat: '5 Days' },
  ...{ samplePosts: [`https://${host}.example.com/a`], rules: 'No casinos.' },
});
/** All names of the contract; the legacy names contain the same values as the current ones. */
const adminSiteFields = (host: string, ownerId: string) => ({
  ...siteFields(host),
  ...{ as: 30, keywords: 10, keywords_count: 10, ref_domains: 20, words: 800, price: 50, isFulfilledByStaff: true },
  ...{ adminPrice: 60, admin_price: 60, publicPrice: 70, public_price: 70 },
  ...{ publicCurrency: 'USD', public_currency: 'USD', status: 'Pending', userId: ownerId },
  ...{ rejectionReason: null, rejectionNote: '' },
});
const siteRow = (urlKey: string) =>
  db()
    .select()
    .from(sites)
    .where(like(sites.urlKey, `%${urlKey}%`));

/** A seller with one site, and the bulk change of the sites without its body. */
async function signedInWithSite() {
  const { client, actor } = await signedIn('Seller');
  const host = newId();
  const id = await makeSite(actor.userId, 4_000, { url: `https://${host}.example.com`, urlKey: host });
  const written = async () => ({ rows: await siteRow(host), sender: await person(actor.userId) });
  return { id, actor, call: { client, path: '/api/seller/sites/bulk', written, isStrict: true } };
}

const licenseFields = (packageId: number, userId: string) => ({
  ...{ name: 'A licence', key: `KEY-${newId()}`, status: 'inactive', packageId, userId },
});

const orderRows = (userId: string) => async () => ({
  orders: await db().select().from(orders).where(eq(orders.accountId, userId)),
  briefs: await db()
    .select(getTableColumns(orderBriefs))
    .from(orderBriefs)
    .innerJoin(orders, eq(orders.id, orderBriefs.orderId))
    .where(eq(orders.accountId, userId)),
  totals: await db()
    .select({ totalCents: checkouts.totalCents })
    .from(checkouts)
    .where(eq(checkouts.accountId, userId)),
});

const cartRows = (userId: string) => async () => ({
  carts: await db().select().from(carts).where(eq(carts.accountId, userId)),
  items: await db()
    .select(getTableColumns(cartItems))
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .where(eq(carts.accountId, userId)),
  ...(await orderRows(userId)()),
});

type CartIds = { projectId: string; siteId: number };

/** A change of a cart of the caller with one site. */
const ofCart = (change: string, body: Record<string, unknown> | ((ids: CartIds) => Record<string, unknown>)) => () =>
  byBuyer(async (buyer) => {
    const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
    const projectId = await makeProject(buyer);
    const { id, version } = await openCart(buyer, projectId);
    await saveCartItems(buyer, id, { items: [{ siteId, brief: { anchor: 'spades' } }], version });
    return {
      path: `/api/user/carts/${id}${change}`,
      body: typeof body === 'function' ? body({ projectId, siteId }) : body,
      rows: cartRows(buyer.userId),
    };
  });

/** A report of a project of the caller. */
const ofReport = (prices: Record<string, unknown>) => () =>
  byBuyer(async (buyer) => {
    const projectId = await makeProject(buyer);
    // The hash of a password is different each time.
    const { passwordHash: _, ...columns } = getTableColumns(clientReports);
    return {
      path: `/api/user/projects/${projectId}/reports`,
      body: { from: '2026-01-01', to: '2026-01-31', brand: { name: 'Agency', color: '#2563eb' }, ...prices },
      rows: () => db().select(columns).from(clientReports).where(eq(clientReports.projectId, projectId)),
    };
  });

/** The link of a request of the caller. */
const ofLink = (prices: Record<string, unknown>) => () =>
  byBuyer(async (buyer) => {
    const { id } = await makeRequest({ id: buyer.accountId, projectId: await makeProject(buyer) }, buyer, [5_000]);
    const { linkPrices, linkMarkupPercent, linkFixedCents, linkExpiresAt } = orderRequests;
    return {
      path: `/api/user/requests/${id}/link`,
      body: { expiresAt: new Date(Date.now() + 86_400_000).toISOString(), ...prices },
      rows: () =>
        db()
          .select({ linkPrices, linkMarkupPercent, linkFixedCents, isSet: sql`${linkExpiresAt} is not null` })
          .from(orderRequests)
          .where(eq(orderRequests.id, id)),
    };
  });

/** A request of the caller with two lines. */
const ofRequest = (answer: string, body: (lineIds: string[]) => Record<string, unknown>) => () =>
  byBuyer(async (buyer) => {
    const seller = await makeUser('Seller');
    const siteIds = [await makeSite(seller.userId, 5_000), await makeSite(seller.userId, 5_000)];
    const projectId = await makeProject(buyer);
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 0 });
    const { requestId = '' } = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
    const linesOf = () =>
      db()
        .select({ id: orderRequestLines.id, state: orderRequestLines.state })
        .from(orderRequestLines)
        .where(eq(orderRequestLines.requestId, requestId))
        .orderBy(asc(orderRequestLines.position));
    return {
      path: `/api/user/requests/${requestId}/${answer}`,
      body: body((await linesOf()).map(({ id }) => id)),
      rows: async () => ({
        lines: (await linesOf()).map(({ state }) => state),
        requests: await db()
          .select({ state: orderRequests.state, note: orderRequests.note })
          .from(orderRequests)
          .where(eq(orderRequests.id, requestId)),
        orders: await db().$count(orders, eq(orders.accountId, buyer.accountId)),
      }),
    };
  });

/** A paid order of another user. */
async function makePaidOrder(): Promise<{ id: number; userId: string }> {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 50_000);
  const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
  const projectId = await makeProject(buyer);
  const { orders: made } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  return { id: made[0]?.id ?? 0, userId: buyer.userId };
}

/** What a change of a dispute writes. */
const disputeRows = (orderId: number) => async () => ({
  disputes: await db().select().from(disputes).where(eq(disputes.orderId, orderId)),
  proposals: await db()
    .select({ proposal: disputeProposals })
    .from(disputeProposals)
    .innerJoin(disputes, and(eq(disputes.id, disputeProposals.disputeId), eq(disputes.orderId, orderId))),
  placement: await db().select().from(placements).where(eq(placements.orderId, orderId)),
});

/** A change of a dispute that the caller opened. */
const ofDispute =
  (change: string, body: Record<string, unknown>, answer?: (dispute: MadeDispute) => Promise<unknown>) => () =>
    byBuyer(async (buyer) => {
      const dispute = await makeDispute('delivered', { buyer });
      await answer?.(dispute);
      return { path: `/api/disputes/${dispute.id}/${change}`, body, rows: disputeRows(dispute.orderId) };
    });

type Stage = 'offered' | 'accepted' | 'extended' | 'delivered';

/** An order that its seller fulfills, at a stage. */
async function offerIn(stage: Stage, people: { buyer?: Actor; seller?: Actor } = {}): Promise<Offer> {
  const offer = await makeOffer(5_000, {}, people);
  if (stage !== 'offered') await accept(offer);
  if (stage === 'extended') await askForDays(offer);
  if (stage === 'delivered') await deliver(offer);
  return offer;
}

const longerGuarantee = { options: [{ kind: 'guarantee' as const, days: 365, surchargePercent: 10 }] };

const placedRows = (orderId: number) => async () => ({
  order: await db().select().from(orders).where(eq(orders.id, orderId)),
  placement: await db().select().from(placements).where(eq(placements.orderId, orderId)),
  events: await db()
    .select()
    .from(placementEvents)
    .where(eq(placementEvents.orderId, orderId))
    .orderBy(asc(placementEvents.id)),
});

/** A call by the buyer of an order that its seller fulfills. */
const byBuyerOf = (stage: Stage, verb: string, body: Record<string, unknown>) => () =>
  byBuyer(async (buyer) => {
    const { id } = await offerIn(stage, { buyer });
    return { path: `/api/orders/${id}/${verb}`, body, rows: placedRows(id) };
  });

/** A call by the seller who fulfills an order. */
const bySellerOf = (stage: Stage, verb: string, body: Record<string, unknown>) => async (): Promise<JsonCall> => {
  const { client, actor } = await signedIn('Seller');
  const { id } = await offerIn(stage, { seller: actor });
  const written = async () => ({ rows: await placedRows(id)(), sender: await person(actor.userId) });
  return { client, path: `/api/seller/orders/${id}/${verb}`, body, written };
};

/** A call by the seller who answers an offer with the request for several. */
async function bySellerOfMany(verb: string, body: Record<string, unknown>): Promise<JsonCall> {
  const { client, actor } = await signedIn('Seller');
  const { id } = await offerIn('offered', { seller: actor });
  const written = async () => ({ rows: await placedRows(id)(), sender: await person(actor.userId) });
  const many = { ids: [id], versions: { [id]: 1 }, ...body };
  return { client, path: `/api/seller/orders/${verb}`, body: many, written, isStrict: true };
}
type ChangeStage = 'none' | 'asked' | 'priced' | 'accepted';

/** A published article with a paid change at a stage, as a call by one side. */
const ofChange =
  (side: 'buyer' | 'seller', stage: ChangeStage, verb: string, body: Record<string, unknown>) =>
  async (): Promise<JsonCall> => {
    const { client, actor } = await signedIn(side === 'buyer' ? 'User' : 'Seller');
    const offer = await makeOffer(5_000, {}, { [side]: actor });
    await accept(offer);
    await deliver(offer, `https://${newId()}.example.com/article`);
    await approve(offer);
    await fundWallet(offer.buyer.userId, 9_000);
    if (stage !== 'none') await ask(offer);
    if (stage === 'priced') await reprice(offer, 1_500);
    if (stage === 'accepted') await acceptAsked(offer);
    const path = stage === 'none' ? 'changes' : `changes/${(await changeOf(offer.id)).id}/${verb}`;
    const { checkedAt: _, ...columns } = getTableColumns(orderChanges);
    const written = async () => ({
      rows: await placedRows(offer.id)(),
      changes: await db().select(columns).from(orderChanges).where(eq(orderChanges.orderId, offer.id)),
      sender: await person(actor.userId),
    });
    return { client, path: `/api/${side === 'buyer' ? '' : 'seller/'}orders/${offer.id}/${path}`, body, written };
  };

const permissionsOf = (roleName: string) => async () => ({
  role: await db().select().from(roles).where(eq(roles.name, roleName)),
  granted: await db().select().from(rolePermissions).where(eq(rolePermissions.roleName, roleName)),
});

const config = (provider: 'stripe' | 'paypal' | 'wechat', values: Record<string, string>) => () =>
  byAdmin(async () => ({
    // The app under test uses its test modes meanwhile, so only values of the live mode are written here.
    path: `/api/admin/payments/${provider}/config?mode=live`,
    body: values,
    isStrict: true,
    rows: () =>
      db()
        .select({ fields: paymentConfigs.fields })
        .from(paymentConfigs)
        .where(and(eq(paymentConfigs.provider, provider), inArray(paymentConfigs.mode, ['live']))),
  }));

/**
 * A save of a setting, without its version, which calls of other tests raise meanwhile. What the admin wrote is in the
 * audit log.
 */
const setting = (word: string, values: Record<string, unknown>) => () =>
  byAdmin(async ({ userId }) => ({
    path: `/api/admin/${word}`,
    body: { ...values, version: undefined },
    isStrict: true,
    rows: () =>
      db()
        .select({ action: auditLogs.action, after: auditLogs.after })
        .from(auditLogs)
        .where(and(eq(auditLogs.userId, userId), eq(auditLogs.entityType, 'setting'))),
  }));

/** A valid call for every endpoint that reads a JSON body; several where a body has several forms. */
export const jsonBodies: Readonly<Record<string, readonly (() => Promise<JsonCall>)[]>> = {
  'POST /api/user/auth/login': [signIn('user', 'User')],
  'POST /api/admin/auth/login': [signIn('admin', 'Admin')],
  'POST /api/seller/auth/login': [signIn('seller', 'Seller')],
  'POST /api/user/auth/register': [register('/api/user/auth/register')],
  'POST /api/auth/register': [register('/api/auth/register')],
  'POST /api/auth/reauthenticate': [
    async () => {
      const { client, actor } = await signedIn('User');
      const written = () => person(actor.userId);
      return { ...{ client, path: '/api/auth/reauthenticate', written }, body: { password: testPassword } };
    },
  ],
  'POST /api/user/auth/forgot': [byEmail('/api/user/auth/forgot')],
  'POST /api/user/auth/verify/resend': [byEmail('/api/user/auth/verify/resend')],
  'POST /api/user/auth/reset': [
    async () => {
      const { userId } = await makeAccount();
      const token = await db().transaction((tx) => createEmailToken(tx, userId, 'reset-password'));
      const written = async () => (await person(userId)).map(({ passwordHash: _, ...row }) => row);
      return {
        ...{ client: openClient(), path: '/api/user/auth/reset', written },
        body: { token, password: 'another long password' },
      };
    },
  ],
  'POST /api/acl/roles': [
    () =>
      byAdmin(async () => {
        const name = `Role ${newId()}`;
        return { path: '/api/acl/roles', body: { name }, rows: permissionsOf(name) };
      }),
  ],
  'POST /api/acl/roles/[roleName]/permissions': [
    () =>
      byAdmin(async () => {
        const name = await makeRole(['AdminDashboard']);
        const path = `/api/acl/roles/${encodeURIComponent(name)}/permissions`;
        return { path, body: { permName: 'ManageSites' }, rows: permissionsOf(name) };
      }),
  ],
  'DELETE /api/acl/roles/[roleName]/permissions': [
    () =>
      byAdmin(async () => {
        const name = await makeRole(['AdminDashboard', 'ManageSites']);
        const path = `/api/acl/roles/${encodeURIComponent(name)}/permissions`;
        return { path, body: { permName: 'ManageSites' }, rows: permissionsOf(name) };
      }),
  ],
  'POST /api/acl/users/[userId]/roles': [
    () =>
      byAdmin(async () => {
        const { userId } = await makeUser();
        return { path: `/api/acl/users/${userId}/roles`, body: { roleName: 'Seller' }, rows: () => person(userId) };
      }),
  ],
  'POST /api/roles': [
    () =>
      byAdmin(async () => {
        const { userId } = await makeUser();
        const rows = () => db().select().from(featureRoles).where(eq(featureRoles.userId, userId));
        return { path: '/api/roles', body: { name: 'Helper', userId, features: ['Manage Blog'] }, rows };
      }),
  ],
  'PUT /api/roles/[id]': [
    () =>
      byAdmin(async () => {
        const [{ userId }, id] = [await makeUser(), newId()];
        await db().insert(featureRoles).values({ id, name: 'Helper', userId, features: [], permissions: [] });
        const rows = () => db().select().from(featureRoles).where(eq(featureRoles.id, id));
        const body = { name: 'Assistant', userId, features: ['Manage Blog'], version: 1 };
        return { path: `/api/roles/${id}`, body, rows };
      }),
  ],
  'POST /api/users': [
    () =>
      byAdmin(async () => {
        const email = `${newId()}@example.com`;
        const body = { name: 'Jane Doe', email, status: 'Active', role: 'User', password: testPassword };
        return { path: '/api/users', body, rows: () => db().select().from(users).where(eq(users.email, email)) };
      }),
  ],
  'PUT /api/users/[id]': [
    () =>
      byAdmin(async () => {
        const { userId, email } = await makeUser();
        const body = { name: 'Renamed', email, status: 'Active', role: 'User', password: '', version: 1 };
        return { path: `/api/users/${userId}`, body, rows: () => person(userId) };
      }),
  ],
  'PATCH /api/users/[id]': [
    () =>
      byAdmin(async () => {
        const { userId } = await makeUser();
        return { path: `/api/users/${userId}`, body: { role: 'Seller' }, rows: () => person(userId) };
      }),
  ],
  'POST /api/packages': [
    () =>
      byAdmin(async () => {
        const name = `Package ${newId()}`;
        const rows = () => db().select().from(packages).where(eq(packages.name, name));
        return { path: '/api/packages', body: packageFields(name), rows };
      }),
  ],
  'PUT /api/packages/[id]': [
    () =>
      byAdmin(async () => {
        const id = await makePackage();
        const rows = () => db().select().from(packages).where(eq(packages.id, id));
        return { path: `/api/packages/${id}`, body: { ...packageFields(`Package ${newId()}`), version: 1 }, rows };
      }),
  ],
  'POST /api/licenses': [
    () =>
      byAdmin(async ({ userId }) => {
        const body = licenseFields(await makePackage(), userId);
        return {
          path: '/api/licenses',
          body,
          rows: () => db().select().from(licenses).where(eq(licenses.key, body.key)),
        };
      }),
  ],
  'PUT /api/licenses/[id]': [
    () =>
      byAdmin(async ({ userId }) => {
        const packageId = await makePackage();
        const [made] = await db().insert(licenses).values({ name: 'A', key: newId() }).returning({ id: licenses.id });
        const id = made?.id ?? 0;
        const rows = () => db().select().from(licenses).where(eq(licenses.id, id));
        return { path: `/api/licenses/${id}`, body: { ...licenseFields(packageId, userId), version: 1 }, rows };
      }),
  ],
  'POST /api/tools/seo/suggest': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/tools/seo/suggest',
        body: { domain: 'example.com', slug: 'a', currentTitle: 'A', currentDescription: 'B', intent: 'c' },
        rows: () => person(userId),
      })),
  ],
  'POST /api/guest-posts': [
    () =>
      byAdmin(async ({ userId }) => {
        const host = newId();
        return { path: '/api/guest-posts', body: adminSiteFields(host, userId), rows: () => siteRow(host) };
      }),
  ],
  'PUT /api/guest-posts/[id]': [
    () =>
      byAdmin(async ({ userId }) => {
        const host = newId();
        const id = await makeSite(userId, 5_000, { status: 'Pending' });
        const body = { ...adminSiteFields(host, userId), version: 1 };
        return { path: `/api/guest-posts/${id}`, body, rows: () => siteRow(host) };
      }),
  ],
  'POST /api/niches-types': [
    () =>
      byAdmin(async () => {
        const name = `Niche ${newId()}`;
        const rows = () => db().select().from(niches).where(eq(niches.name, name));
        return { path: '/api/niches-types', body: { type: 'niche', name }, rows };
      }),
  ],
  'POST /api/seller/sites': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const host = newId();
      const written = async () => ({ rows: await siteRow(host), sender: await person(actor.userId) });
      return { client, path: '/api/seller/sites', body: { ...siteFields(host), price: 50 }, written };
    },
  ],
  'POST /api/seller/sites/bulk': [
    async () => {
      const own = await signedInWithSite();
      const change = { price: { percent: 10 }, turnaround: '9 days', language: 'German', niche: 'Pets' };
      const ids = [own.id];
      const { preview } = await changeOwnSites(own.actor, ownBulkBody.parse({ ids, change, dryRun: true }));
      return { ...own.call, body: { ids, change, preview } };
    },
    async () => {
      const { call } = await signedInWithSite();
      return { ...call, body: { filter: { status: 'Approved' }, change: { pause: {} }, dryRun: false } };
    },
  ],
  'PUT /api/admin/payments/[provider]/config': [
    config('stripe', { publishable_key: 'pk_live_a', secret_key: 'sk_live_a', webhook_secret: 'whsec_a' }),
    config('paypal', { client_id: 'a', client_secret: 'b', webhook_id: 'c' }),
    config('wechat', { mchid: '1', appid: 'wx1', serial_no: '2', public_key_id: '3', public_key: '4' }),
  ],
  'PUT /api/admin/operator': [
    // Of an operator without a country, so that the documents of other tests stay as they are.
    setting('operator', {
      ...{ name: 'Example', street: 'Main Street 1', postcode: '10115', city: 'Berlin', region: '', country: '' },
      ...{ vatIds: [], taxNumber: '30/123', registration: 'HRB 1', contact: { name: 'Ann', phone: '', email: '' } },
      ...{ isSmallBusiness: false, smallBusinessText: '', untaxedText: 'No tax', trustsSilentVies: true },
      // With accounts, so that those of other tests can pay by bank at the same time.
      ...{ rates: [], bankAccounts: Object.values(operatorAccounts) },
      served: { domestic: true, euBusinesses: true, euPersons: 'refuse', outsideEu: true },
    }),
  ],
  'PUT /api/admin/tax': [setting('tax', { enabled: false, country: 'DE' })],
  'POST /api/admin/wallet/topup': [
    () =>
      byAdmin(async () => {
        const { userId } = await makeUser();
        const body = { userId, amount: 12.5, currency: 'USD', note: 'A gift' };
        return { path: '/api/admin/wallet/topup', body, rows: () => wallet(userId) };
      }),
    () =>
      byAdmin(async () => {
        const { accountId } = await makeTeam();
        const body = { accountId, amount: 12.5, currency: 'USD', note: 'A gift' };
        // A `userId` beside it is refused.
        return { path: '/api/admin/wallet/topup', body, isStrict: true, rows: () => wallet(accountId) };
      }),
  ],
  'PATCH /api/admin/orders/[id]': [
    () =>
      byAdmin(async () => {
        const { id, userId } = await makePaidOrder();
        const body = {
          ...{ status: 'Processing', linkUrl: 'https://example.com/a', adminComments: 'Seen', version: 1 },
          isRejection: false,
        };
        const rows = async () => ({ ...(await orderRows(userId)()), wallet: await wallet(userId) });
        return { path: `/api/admin/orders/${id}`, body, rows };
      }),
  ],
  'POST /api/orders/[id]/dispute': [
    () =>
      byBuyer(async (buyer) => {
        const { id } = await makePlacement('delivered', { buyer });
        const body = { reason: 'other', text: 'The anchor differs.', version: 1 };
        return { path: `/api/orders/${id}/dispute`, body, rows: disputeRows(id) };
      }),
  ],
  'POST /api/seller/orders/[id]/dispute': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const { id } = await makePlacement('in_revision', { seller: actor });
      const rows = disputeRows(id);
      const written = async () => ({ rows: await rows(), sender: await person(actor.userId) });
      const body = { reason: 'unfair_revision', text: 'This is not part of the brief.', version: 1 };
      return { client, path: `/api/seller/orders/${id}/dispute`, body, written };
    },
  ],
  'POST /api/disputes/[id]/proposals': [ofDispute('proposals', { buyerPercent: 40, version: 1 })],
  'POST /api/disputes/[id]/proposals/[n]/accept': [
    ofDispute('proposals/1/accept', { version: 2 }, ({ id, seller }) =>
      proposeSettlement(seller, id, { buyerPercent: 30 }),
    ),
  ],
  'POST /api/disputes/[id]/withdraw': [ofDispute('withdraw', { version: 1 })],
  'POST /api/admin/disputes/[id]/decide': [
    () =>
      byAdmin(async () => {
        const { id, orderId } = await makeDispute();
        const body = { buyerPercent: 40, note: 'Both were right in part.', version: 1 };
        return { path: `/api/admin/disputes/${id}/decide`, body, rows: disputeRows(orderId) };
      }),
  ],
  'PUT /api/seller/payout-method': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const written = async () => ({ rows: await methodRows(actor.userId), sender: await person(actor.userId) });
      const body = { method: { kind: 'paypal', email: 'payee@example.com' }, password: testPassword, code: '' };
      return { client, path: '/api/seller/payout-method', body, written };
    },
  ],
  'POST /api/seller/payouts': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      await makePayableSeller(20_000, { seller: actor });
      const written = async () => ({ rows: await payoutRows(actor.userId), sender: await person(actor.userId) });
      return { client, path: '/api/seller/payouts', body: { amountCents: 6_000 }, written };
    },
  ],
  'POST /api/wallet/refund-requests': [
    () =>
      byBuyer(async (buyer) => ({
        path: '/api/wallet/refund-requests',
        body: { topupId: await makePaidTopup(buyer), amountCents: 4_000, reason: 'No longer needed' },
        rows: () => refundRows(buyer.userId),
      })),
  ],
  'POST /api/admin/wallet/refunds': [
    () =>
      byAdmin(async () => {
        const buyer = await makeUser();
        const body = { topupId: await makePaidTopup(buyer), amountCents: 4_000, reason: 'Agreed by phone' };
        return { path: '/api/admin/wallet/refunds', body, rows: () => refundRows(buyer.userId) };
      }),
  ],
  'POST /api/admin/wallet/refunds/[id]/approve': [ofRefund('approve', { version: 1 })],
  'POST /api/admin/wallet/refunds/[id]/decline': [ofRefund('decline', { reason: 'The offer excludes it.' })],
  'POST /api/wallet/topup/bank': [
    () =>
      byBuyer(async (buyer) => {
        await offerBankTransfers();
        const isOwn = eq(bankTransferRequests.accountId, buyer.userId);
        const rows = () => db().select(requestColumns).from(bankTransferRequests).where(isOwn);
        return { path: '/api/wallet/topup/bank', body: { amount: '25.00', currency: 'USD' }, rows };
      }),
  ],
  'POST /api/admin/bank-transfers/[id]/credit': [ofBankLine('credit', { note: 'As received' })],
  'POST /api/admin/bank-transfers/[id]/return': [ofBankLine('return', { outcome: 'sent_back', note: 'By SEPA' })],
  'POST /api/admin/payouts/export': [
    () =>
      byAdmin(async () => {
        const value = { payer: bankAccount };
        await db()
          .insert(settings)
          .values({ key: 'payout-rules', value })
          .onConflictDoUpdate({ target: settings.key, set: { value } });
        const { payout } = await makePayout('approved');
        const body = { format: 'csv', ids: [payout.id] };
        return { path: '/api/admin/payouts/export', body, rows: () => payoutRows(payout.sellerId) };
      }),
  ],
  'POST /api/admin/payouts/send': [
    () =>
      byAdmin(async () => {
        const { payout } = await makePayout('approved', { kind: 'paypal' });
        return { path: '/api/admin/payouts/send', body: { ids: [payout.id] }, rows: () => payoutRows(payout.sellerId) };
      }),
  ],
  'POST /api/admin/payouts/[id]/approve': [ofPayout('requested', 'approve', {})],
  'POST /api/admin/payouts/[id]/paid': [ofPayout('approved', 'paid', { reference: 'TRX 1' })],
  'POST /api/admin/payouts/[id]/failed': [ofPayout('approved', 'failed', { reason: 'The account is closed.' })],
  'POST /api/admin/payouts/[id]/return': [ofPayout('paid', 'return', { reason: 'The account is closed.' })],
  'POST /api/tokens': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/tokens',
        body: {
          ...{ name: 'Reports', scopes: ['read'], expiresAt: '2099-01-01T00:00:00.000Z' },
          ...{ allowedIps: ['127.0.0.1'], dailyLimitCents: 5_000 },
        },
        rows: () =>
          db()
            .select({
              name: apiTokens.name,
              scopes: apiTokens.scopes,
              expiresAt: apiTokens.expiresAt,
              allowedIps: apiTokens.allowedIps,
              dailyLimitCents: apiTokens.dailyLimitCents,
              spentCents: apiTokens.spentCents,
              revokedAt: apiTokens.revokedAt,
            })
            .from(apiTokens)
            .where(eq(apiTokens.userId, userId)),
      })),
  ],
  'POST /api/user/projects': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/user/projects',
        body: {
          ...{ domain: 'shop.example.com', description: 'A shop', niche: 'General', postType: 'Guest posts' },
          ...{ country: 'USA', targetUrl: 'https://shop.example.com/a', keywords: 'spade, rake' },
        },
        rows: () => db().select().from(projects).where(eq(projects.accountId, userId)),
      })),
  ],
  'POST /api/user/accounts': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/user/accounts',
        body: { name: 'A team' },
        rows: () =>
          db()
            .select({ name: accounts.name, kind: accounts.kind, role: accountMembers.role })
            .from(accountMembers)
            .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
            .where(eq(accountMembers.userId, userId)),
      })),
  ],
  'PATCH /api/user/accounts/[id]': [
    () =>
      byBuyer(async (buyer) => {
        const { id } = await createAccount(buyer, { name: 'A team' });
        return {
          path: `/api/user/accounts/${id}`,
          body: { name: 'A new name', version: 1 },
          rows: () =>
            db().select({ name: accounts.name, version: accounts.version }).from(accounts).where(eq(accounts.id, id)),
        };
      }),
  ],
  'POST /api/user/accounts/[id]/members': [
    () =>
      byBuyer(async (buyer) => {
        const projectId = await makeProject(buyer);
        return {
          path: `/api/user/accounts/${buyer.userId}/members`,
          body: {
            ...{ email: `${newId()}@example.com`, role: 'buyer', projectIds: [projectId], monthlyLimitCents: 10_000 },
          },
          rows: () =>
            db()
              .select({ role: accountInvitations.role, monthlyLimitCents: accountInvitations.monthlyLimitCents })
              .from(accountInvitations)
              .where(eq(accountInvitations.accountId, buyer.userId)),
        };
      }),
  ],
  'PATCH /api/user/accounts/[id]/members/[userId]': [
    () =>
      byBuyer(async (buyer) => {
        const { userId } = await makeUser();
        const projectId = await makeProject(buyer);
        await db().insert(accountMembers).values({ accountId: buyer.userId, userId, role: 'buyer' });
        return {
          path: `/api/user/accounts/${buyer.userId}/members/${userId}`,
          body: { role: 'client', projectIds: [projectId], monthlyLimitCents: 10_000, version: 1 },
          rows: () =>
            db()
              .select({
                role: accountMembers.role,
                hasProjects: sql`${accountMembers.projectIds} is not null`,
                monthlyLimitCents: accountMembers.monthlyLimitCents,
                version: accountMembers.version,
              })
              .from(accountMembers)
              .where(eq(accountMembers.userId, userId))
              .orderBy(accountMembers.role),
        };
      }),
  ],
  'PUT /api/user/billing-profile': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/user/billing-profile',
        body: {
          ...{ company: 'A company', street: '1 A Street', postcode: '10001', city: 'New York', region: 'NY' },
          ...{ country: 'US', vatId: '12-3456789', reference: 'CC 7', email: 'books@example.com', version: 0 },
        },
        rows: () => db().select().from(billingProfiles).where(eq(billingProfiles.accountId, userId)),
      })),
  ],
  'PUT /api/user/projects/[id]': [
    () =>
      byBuyer(async (buyer) => {
        const id = await makeProject(buyer);
        return {
          path: `/api/user/projects/${id}`,
          body: {
            ...{ domain: 'other.example.com', description: 'Another shop', niche: 'General', postType: 'Guest posts' },
            ...{ country: 'Canada', targetUrl: 'https://other.example.com/a', keywords: 'hoe', version: 1 },
            hidesLinked: true,
          },
          rows: () => db().select().from(projects).where(eq(projects.id, id)),
        };
      }),
  ],
  'POST /api/user/projects/[id]/reports': [
    ofReport({ prices: 'markup', markupPercent: 20, password: 'a long password', expiresAt: '2036-01-01T00:00:00Z' }),
    ofReport({ prices: 'fixed', fixedCents: 12_000 }),
  ],
  'POST /api/user/requests/[id]/link': [
    ofLink({ prices: 'markup', markupPercent: 20 }),
    ofLink({ prices: 'fixed', fixedCents: 12_000 }),
  ],
  'PUT /api/user/projects/[id]/anchor-plan': [
    () =>
      byBuyer(async (buyer) => {
        const id = await makeProject(buyer);
        return {
          path: `/api/user/projects/${id}/anchor-plan`,
          body: {
            plan: { brand: 45, address: 20, generic: 15, partial: 12, exact: 5, image: 3, none: 0 },
            ...{ brandWords: ['Spade & Co'], pool: [{ text: 'Spade & Co', kind: 'brand' }], version: 0 },
          },
          rows: () => db().select().from(projectAnchorPlans).where(eq(projectAnchorPlans.projectId, id)),
        };
      }),
  ],
  'PUT /api/user/projects/[id]/budget': [
    () =>
      byBuyer(async (buyer) => {
        const id = await makeProject(buyer);
        return {
          path: `/api/user/projects/${id}/budget`,
          body: { monthlyCents: 50_000 },
          rows: () => db().select().from(projects).where(eq(projects.id, id)),
        };
      }),
  ],
  'PUT /api/user/accounts/[id]/policy': [
    () =>
      byBuyer(async ({ accountId }) => ({
        path: `/api/user/accounts/${accountId}/policy`,
        body: {
          ...{ minDr: 30, minTraffic: 1_000, forbiddenNiches: ['Casino'], rel: 'dofollow' },
          approvalAboveCents: 20_000,
        },
        rows: () => db().select().from(accounts).where(eq(accounts.id, accountId)),
      })),
  ],
  'POST /api/user/requests/[id]/approve': [
    ofRequest('approve', (lineIds) => ({ lineIds: lineIds.slice(0, 1), shownTotalCents: 5_000, comments: {} })),
  ],
  'POST /api/user/requests/[id]/decline': [ofRequest('decline', () => ({ reason: 'Not this month', comments: {} }))],
  'POST /api/orders': [
    () =>
      byBuyer(async (buyer) => {
        const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
        const projectId = await makeProject(buyer);
        const briefs = { brief: { anchor: 'spades' }, briefs: { [siteId]: { words: 800 } } };
        const shown = { shownTotalCents: 5_000, rejectDuplicates: true };
        const body = { kind: 'custom', projectId, siteIds: [siteId], ...shown, ...briefs };
        return { path: '/api/orders', body, rows: orderRows(buyer.userId) };
      }),
    () =>
      byBuyer(async (buyer) => {
        const [packageId, projectId] = [await makePackage(), await makeProject(buyer)];
        const body = { kind: 'package', projectId, packageId, quantity: 2, shownTotalCents: 10_000 };
        return { path: '/api/orders', body, rows: orderRows(buyer.userId) };
      }),
  ],
  'POST /api/user/carts': [
    () =>
      byBuyer(async (buyer) => ({
        path: '/api/user/carts',
        body: { projectId: await makeProject(buyer), name: 'Spring' },
        rows: cartRows(buyer.userId),
      })),
  ],
  'PATCH /api/user/carts/[id]': [ofCart('', { name: 'Autumn', version: 2 })],
  'PUT /api/user/carts/[id]/items': [
    ofCart('/items', ({ siteId }) => ({ items: [{ siteId, brief: { anchor: 'rake' } }], version: 2 })),
  ],
  'POST /api/user/carts/[id]/order': [
    ofCart('/order', ({ projectId }) => ({ projectId, shownTotalCents: 5_000, allowDuplicates: true, version: 2 })),
  ],
  'POST /api/mcp': [
    () =>
      byBuyer(async ({ userId }) => {
        const project = {
          ...{ domain: 'agents.example.com', description: 'A shop', niche: 'General', postType: 'Guest posts' },
          ...{ country: 'USA', targetUrl: 'https://agents.example.com/a', keywords: 'spade' },
        };
        const params = { name: 'create_project', arguments: project };
        return {
          path: '/api/mcp',
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
          rows: () => db().select().from(projects).where(eq(projects.accountId, userId)),
        };
      }),
  ],
  'POST /api/quotes': [
    () =>
      byBuyer(async (buyer) => {
        const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
        const projectId = await makeProject(buyer);
        const briefs = { brief: { anchor: 'spades' }, briefs: { [siteId]: { words: 800 } } };
        const body = { kind: 'custom', projectId, siteIds: [siteId], rejectDuplicates: true, ...briefs };
        return { path: '/api/quotes', body, rows: quoteRows(buyer.userId) };
      }),
    () =>
      byBuyer(async (buyer) => {
        const [packageId, projectId] = [await makePackage(), await makeProject(buyer)];
        const body = { kind: 'package', projectId, packageId, quantity: 2 };
        return { path: '/api/quotes', body, rows: quoteRows(buyer.userId) };
      }),
  ],
  'POST /api/quotes/[id]/place': [
    async () => {
      const { client, actor } = await signedIn('User');
      await fundWallet(actor.userId, 100_000);
      const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
      await client.post('/api/quotes', { kind: 'custom', projectId: await makeProject(actor), siteIds });
      const [quote] = await db().select().from(orderQuotes).where(eq(orderQuotes.accountId, actor.userId));
      return {
        client,
        path: `/api/quotes/${quote?.id}/place`,
        body: { expectedTotalCents: 5_000 },
        written: async () => ({
          rows: await orderRows(actor.userId)(),
          sender: await person(actor.userId),
          wallet: await wallet(actor.userId),
        }),
      };
    },
  ],
  'POST /api/uploads': [
    () =>
      byBuyer(async ({ userId }) => ({
        path: '/api/uploads',
        body: { size_bytes: 5_000_000 },
        isNotConfigured: true,
        rows: () =>
          db()
            .select({ count: rateLimits.count })
            .from(rateLimits)
            .where(eq(rateLimits.key, `directUpload:account:${userId}`)),
      })),
  ],
  'PUT /api/orders/[id]/brief': [
    () =>
      byBuyer(async (buyer) => {
        const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
        const { orders: made } = await createOrder(buyer, {
          kind: 'custom',
          projectId: await makeProject(buyer),
          siteIds,
        });
        const { id: articleId } = await uploadArticle(buyer, Readable.from([Buffer.from('An article')]), 'draft.md');
        const body = {
          ...{
            targetUrl: 'https://shop.example.com/a',
            anchor: 'spades',
            writer: 'buyer',
            words: 800,
            notes: 'Be kind.',
          },
          ...{
            notBefore: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
            rel: 'dofollow',
            articleId,
            version: 1,
          },
        };
        return { path: `/api/orders/${made[0]?.id}/brief`, body, rows: orderRows(buyer.userId) };
      }),
  ],
  'POST /api/orders/approve': [
    () =>
      byBuyer(async (buyer) => {
        const { id } = await offerIn('delivered', { buyer });
        return {
          path: '/api/orders/approve',
          body: { ids: [id], versions: { [id]: 3 } },
          rows: placedRows(id),
          isStrict: true,
        };
      }),
  ],
  'POST /api/orders/[id]/approve': [byBuyerOf('delivered', 'approve', { version: 3 })],
  'POST /api/orders/[id]/cancel': [byBuyerOf('offered', 'cancel', { reason: 'Changed plans', version: 1 })],
  'POST /api/orders/[id]/revision': [
    byBuyerOf('delivered', 'revision', { reason: 'Wrong anchor', text: 'Use the brand.', version: 3 }),
  ],
  'POST /api/orders/[id]/extension': [byBuyerOf('extended', 'extension', { grant: true, version: 3 })],
  'POST /api/orders/[id]/guarantee': [
    () =>
      byBuyer(async (buyer) => {
        const offer = await offerIn('delivered', { buyer });
        await approve(offer);
        const { options } = await saveOptions(offer.seller, offer.siteId, longerGuarantee);
        const body = { optionId: options[0]?.id, shownTotalCents: 500, version: 4 };
        return { path: `/api/orders/${offer.id}/guarantee`, body, rows: placedRows(offer.id) };
      }),
  ],
  'PUT /api/seller/sites/[id]/options': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const siteId = await makeSite(actor.userId, 5_000);
      const rows = () => db().select().from(siteOptions).where(eq(siteOptions.siteId, siteId));
      const written = async () => ({ rows: await rows(), sender: await person(actor.userId) });
      return { client, path: `/api/seller/sites/${siteId}/options`, body: longerGuarantee, written };
    },
  ],
  'POST /api/seller/orders/accept': [() => bySellerOfMany('accept', {})],
  'POST /api/seller/orders/decline': [() => bySellerOfMany('decline', { reason: 'Off topic' })],
  'POST /api/orders/[id]/changes': [
    ofChange('buyer', 'none', '', {
      ...{ text: 'Use the new page', targetUrl: 'https://shop.example.com/new', anchor: 'spades' },
      shownTotalCents: 1_250,
    }),
  ],
  'POST /api/orders/[id]/changes/[changeId]/approve': [
    ofChange('buyer', 'priced', 'approve', { version: 2, shownTotalCents: 1_000_000 }),
  ],
  'POST /api/orders/[id]/changes/[changeId]/withdraw': [ofChange('buyer', 'asked', 'withdraw', { version: 1 })],
  'POST /api/seller/orders/[id]/changes/[changeId]/accept': [ofChange('seller', 'asked', 'accept', { version: 1 })],
  'POST /api/seller/orders/[id]/changes/[changeId]/reprice': [
    ofChange('seller', 'asked', 'reprice', { cents: 1_500, reason: 'A long article', version: 1 }),
  ],
  'POST /api/seller/orders/[id]/changes/[changeId]/decline': [
    ofChange('seller', 'asked', 'decline', { reason: 'Not now', version: 1 }),
  ],
  'POST /api/seller/orders/[id]/changes/[changeId]/deliver': [
    ofChange('seller', 'accepted', 'deliver', { reason: 'As you agreed', version: 2 }),
  ],
  'POST /api/seller/orders/[id]/accept': [bySellerOf('offered', 'accept', { version: 1 })],
  'POST /api/seller/orders/[id]/decline': [bySellerOf('offered', 'decline', { reason: 'Off topic', version: 1 })],
  'POST /api/seller/orders/[id]/deliver': [
    bySellerOf('accepted', 'deliver', {
      url: 'https://blog.example.com/article',
      dryRun: false,
      reason: 'The editor moved the link.',
      version: 2,
    }),
  ],
  'POST /api/seller/orders/[id]/extension': [
    bySellerOf('accepted', 'extension', { days: 3, reason: 'Illness', version: 2 }),
  ],
  'POST /api/seller/orders/[id]/publish': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const { id, siteId } = await offerIn('accepted', { seller: actor });
      await makeWordPress(actor, siteId);
      const written = async () => ({
        rows: {
          ...(await placedRows(id)()),
          posts: await db().select().from(orderPosts).where(eq(orderPosts.orderId, id)),
        },
        sender: await person(actor.userId),
      });
      const body = {
        ...{ title: 'Gardens', content: 'Tools.', format: 'markdown', categoryId: 2, day: '2099-01-01', version: 2 },
        image: { fileName: 'a.gif', base64: 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=' },
      };
      return { client, path: `/api/seller/orders/${id}/publish`, body, written };
    },
  ],
  'PUT /api/seller/sites/[id]/wordpress': [
    async () => {
      const { client, actor } = await signedIn('Seller');
      const id = await makeSite(actor.userId, 5_000);
      await makeWordPress(actor, id);
      const written = async () => ({
        rows: await db()
          .select({ siteId: siteWordpress.siteId, publish: siteWordpress.publish, version: siteWordpress.version })
          .from(siteWordpress)
          .where(eq(siteWordpress.siteId, id)),
        sender: await person(actor.userId),
      });
      return { client, path: `/api/seller/sites/${id}/wordpress`, body: { publish: 'schedule' }, written };
    },
  ],
  'POST /api/seller/orders/[id]/release': [bySellerOf('accepted', 'release', { version: 2 })],
  'POST /api/admin/orders/[id]/placement': [
    () =>
      byAdmin(async () => {
        const { id } = await offerIn('accepted');
        const body = { action: 'deliver', url: 'https://example.com/article', reason: 'Seen on the page.', version: 2 };
        return { path: `/api/admin/orders/${id}/placement`, body, rows: placedRows(id) };
      }),
  ],
  'POST /api/webhooks': [
    () => byBuyer(async ({ userId }) => ({ path: '/api/webhooks', body: webhookBody, rows: endpointRows(userId) })),
  ],
  'PATCH /api/webhooks/[id]': [
    () =>
      byBuyer(async (buyer) => {
        const { id } = await makeEndpoint(buyer);
        const body = { ...webhookBody, isEnabled: false };
        return { path: `/api/webhooks/${id}`, body, rows: endpointRows(buyer.userId) };
      }),
  ],
  'POST /api/webhooks/[id]/deliveries': [
    () =>
      byBuyer(async (buyer) => {
        const { id, eventId } = await makeEndpoint(buyer);
        return { path: `/api/webhooks/${id}/deliveries`, body: { eventId }, rows: deliveryRows(id, eventId) };
      }),
  ],
  'POST /api/admin/webhooks': [
    () =>
      byAdmin(async ({ userId }) => {
        await removeEarlierEndpoints();
        return { path: '/api/admin/webhooks', body: webhookBody, rows: endpointRows(userId) };
      }),
  ],
  'PATCH /api/admin/webhooks/[id]': [
    () =>
      byAdmin(async (admin) => {
        const { id } = await makeEndpoint(admin, 'installation');
        const body = { ...webhookBody, isEnabled: false };
        return { path: `/api/admin/webhooks/${id}`, body, rows: endpointRows(admin.userId) };
      }),
  ],
  'POST /api/admin/webhooks/[id]/deliveries': [
    () =>
      byAdmin(async (admin) => {
        const { id, eventId } = await makeEndpoint(admin, 'installation');
        return { path: `/api/admin/webhooks/${id}/deliveries`, body: { eventId }, rows: deliveryRows(id, eventId) };
      }),
  ],
  'POST /api/user/payments/stripe/checkout': [topUp('/api/user/payments/stripe/checkout')],
  'POST /api/wallet/topup/paypal': [topUp('/api/wallet/topup/paypal')],
  'POST /api/wallet/topup/wechat': [topUp('/api/wallet/topup/wechat')],
};
