import { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { auditLogs } from '@/db/schema/audit';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { sessions } from '@/db/schema/users';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { getWaitingOrders } from '@/lib/dashboard/attention';
import { countBuyerOrders, countBuyerProjects, getLatestOrders, getLatestTransactions } from '@/lib/dashboard/buyer';
import { getDrSpread, getLinkFigures, listLostLinks, listNextDeliveries } from '@/lib/dashboard/buyer-figures';
import { createToken, getTokenOverview, listTokens, revokeToken } from '@/lib/developers/tokens/tokens';
import { distributeEvents } from '@/lib/developers/webhooks/deliver';
import { createEndpoint } from '@/lib/developers/webhooks/endpoints';
import { listEndpoints, listEvents, listNewestEvents } from '@/lib/developers/webhooks/queries';
import { findDocument } from '@/lib/invoices/find-document';
import { issueInvoices } from '@/lib/invoices/issue';
import { documentView, listDocumentMonths, listDocuments, readMonth } from '@/lib/invoices/list-documents';
import { listInvoices } from '@/lib/invoices/queries';
import { attachArticles, uploadArticle } from '@/lib/orders/briefs/articles';
import { createCart } from '@/lib/orders/carts/create';
import { orderCart } from '@/lib/orders/carts/order';
import { countCartSites, getCart, listCarts } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { createReportBody } from '@/lib/orders/client-reports/contract';
import { findReportMail, saveReportMail } from '@/lib/orders/client-reports/monthly-mail';
import { createReport, listReports, revokeReport, saveReportNote } from '@/lib/orders/client-reports/reports';
import { openDispute, withdrawDispute } from '@/lib/orders/disputes/open';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';
import { getDispute, getReader } from '@/lib/orders/disputes/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { postMessage } from '@/lib/orders/messages/post';
import { findRoom, listUnreadRooms } from '@/lib/orders/messages/room';
import { openRoom } from '@/lib/orders/messages/stream';
import { createOrder } from '@/lib/orders/order/create';
import { countBuyerTabs, getOrder, listOrderedProjects, listOrders } from '@/lib/orders/order/queries';
import { exportOwnOrders } from '@/lib/orders/own-export';
import { requireOwnTopup } from '@/lib/payments/top-ups/queries';
import { getAnchorPlan } from '@/lib/projects/anchors/plan';
import { proposeAnchors } from '@/lib/projects/anchors/propose';
import { addBlockedDomains, getBlockList } from '@/lib/projects/block-list';
import { createProjectBody } from '@/lib/projects/contract';
import { clearLinkedDomains } from '@/lib/projects/linked-domains/clear-linked';
import { createProject, deleteProject, getProject, listProjectChoices, listProjects } from '@/lib/projects/projects';
import { searchBuyerRecords } from '@/lib/search/palette';
import { getMarketplaceData } from '@/lib/sites/preferences/marketplace';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeToken } from '@/tests/factories/make-token';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';

type Team = Awaited<ReturnType<typeof makeTeam>>;
type Filled = Awaited<ReturnType<typeof fillProject>>;

/** Gives a project of a team data of every kind: the owner orders all of it. */
async function fillProject({ members: { owner } }: Team, domain: string) {
  const projectId = await makeProject(owner, { accountId: owner.accountId, domain });
  const seller = await makeUser('Seller');
  const offer = async () => {
    const siteId = await makeSite(seller.userId, 10_000, { isFulfilledByStaff: false, dr: 50 });
    const { orders: made } = await createOrder(owner, { kind: 'custom', projectId, siteIds: [siteId] });
    return { id: made[0]?.id ?? 0, buyer: owner, seller, siteId };
  };
  const [waiting, delivered, disputed, live] = [await offer(), await offer(), await offer(), await offer()];
  for (const one of [delivered, disputed, live]) {
    await accept(one);
    await deliver(one);
  }
  await approve(live);
  await db().update(linkWatches).set({ verdict: 'broken' }).where(eq(linkWatches.orderId, live.id));
  await postMessage(seller, 'seller', waiting.id, { text: `About ${domain}`, files: [] });
  const dispute = await openDispute(owner, disputed.id, 'buyer', { reason: 'other', text: domain });
  const { id: cartId } = await createCart(owner, { projectId });
  const article = await uploadArticle(owner, Readable.from([Buffer.from(domain)]), 'article.txt');
  const cart = await getCart(owner, cartId);
  await saveCartItems(owner, cartId, {
    items: [{ siteId: waiting.siteId, brief: { articleId: article.id } }],
    version: cart.version,
  });
  const brand = { name: 'Fir & Sons', color: '#2563eb' };
  const input = createReportBody.parse({ from: '2020-01-01', to: '2030-01-01', prices: 'none', brand });
  const { id: reportId } = await createReport(owner, projectId, input);
  await saveReportMail(owner, { projectId, recipients: ['client@example.com'], prices: 'none', brand });
  await addBlockedDomains(owner, projectId, [`bad.${domain}`]);
  await issueInvoices();
  return {
    projectId,
    seller,
    siteId: waiting.siteId,
    orderId: waiting.id,
    liveId: live.id,
    disputeId: dispute.id,
    cartId,
    reportId,
    article,
  };
}

/** What screens, the API and the MCP server list for a member without the id of a project. */
const lists: Record<string, (member: Actor) => Promise<unknown>> = {
  projects: (member) => listProjects(member, { limit: 50, offset: 0 }),
  choices: (member) => listProjectChoices(member),
  marketplace: async (member) => (await getMarketplaceData(member, undefined)).projects,
  orders: (member) => listOrders(member, { limit: 50 }),
  attention: (member) => getWaitingOrders(member),
  tabs: (member) => countBuyerTabs(member),
  orderedProjects: (member) => listOrderedProjects(member),
  orderFigures: (member) => countBuyerOrders(member),
  projectFigure: (member) => countBuyerProjects(member),
  latestOrders: (member) => getLatestOrders(member),
  linkFigures: (member) => getLinkFigures(member),
  lostLinks: (member) => listLostLinks(member),
  nextDeliveries: (member) => listNextDeliveries(member),
  drSpread: (member) => getDrSpread(member),
  unreadRooms: (member) => listUnreadRooms(member),
  carts: (member) => listCarts(member),
  cartSites: (member) => countCartSites(member),
  palette: (member) => searchBuyerRecords(member, { q: 'example' }),
  export: async (member) => {
    const lines: string[] = [];
    for await (const line of exportOwnOrders(member, {})) lines.push(line);
    return lines.join('');
  },
  documents: async (member) =>
    (await listDocuments(member, { limit: 50 })).rows.filter(({ kind }) => kind !== 'receipt').map(documentView),
};

/** What opens one project, or what belongs to one, and each change that names it. */
const opens: Record<string, (member: Actor, of: Filled) => Promise<unknown>> = {
  project: (member, { projectId }) => getProject(member, projectId),
  deletion: (member, { projectId }) => deleteProject(member, projectId),
  order: (member, { orderId }) => getOrder(member, orderId),
  newOrder: async (member, { projectId }) =>
    createOrder(member, {
      kind: 'custom',
      projectId,
      siteIds: [await makeSite((await makeUser('Seller')).userId, 100)],
    }),
  room: (member, { orderId }) => openRoom(member, 'buyer', orderId),
  message: (member, { orderId }) => postMessage(member, 'buyer', orderId, { text: 'Hello', files: [] }),
  invoice: (member, { orderId }) => listInvoices(member, orderId),
  linkCheck: (member, { liveId }) => checkLinkNow(member, liveId, { buyer: member }, 'buyer'),
  reading: async (member, { disputeId }) => getReader(member, await getDispute(disputeId)),
  proposal: (member, { disputeId }) => proposeSettlement(member, disputeId, { buyerPercent: 1 }),
  withdrawal: (member, { disputeId }) => withdrawDispute(member, disputeId),
  dispute: (member, { liveId }) => openDispute(member, liveId, 'buyer', { reason: 'other', text: 'x' }),
  cart: (member, { cartId }) => getCart(member, cartId),
  cartOf: (member, { projectId }) => createCart(member, { projectId }),
  reports: (member, { projectId }) => listReports(member, projectId),
  revocation: (member, { projectId, reportId }) => revokeReport(member, projectId, reportId),
  note: (member, { orderId }) => saveReportNote(member, { orderId, reference: 'x', note: '' }),
  reportMail: async (member, { projectId }) => (await findReportMail(member, projectId)) ?? refuse(),
  blockList: (member, { projectId }) => getBlockList(member, projectId),
  linkedDomains: (member, { projectId }) => clearLinkedDomains(member, projectId),
  anchorPlan: (member, { projectId }) => getAnchorPlan(member, projectId),
  anchors: (member, { projectId }) => proposeAnchors(member, projectId, 1),
};

const refuse = () => Promise.reject(Object.assign(new Error('Null'), { code: 'not_found' }));

const takeAll = async (member: Actor): Promise<Record<string, unknown>> =>
  Object.fromEntries(await Promise.all(Object.entries(lists).map(async ([name, read]) => [name, await read(member)])));

describe('a member who sees one project', () => {
  let team: Team;
  let own: Filled;
  let other: Filled;
  let alone: Record<string, unknown>;
  let manager: Actor;
  let buyer: Actor;

  beforeAll(async () => {
    team = await makeTeam();
    await fundWallet(team.accountId, 200_000);
    own = await fillProject(team, 'alpha.example.com');
    alone = await takeAll(team.members.owner);
    other = await fillProject(team, 'bravo.example.com');
    const projectIds = [own.projectId];
    manager = await joinTeam(await makeUser(), team, 'manager', { projectIds });
    buyer = await joinTeam(await makeUser(), team, 'buyer', { projectIds });
  });

  it('lists what the account had before the others', async () => {
    expect(await takeAll(manager)).toEqual(alone);
    // The owner ordered, so that a Buyer has no documents.
    expect(await takeAll(buyer)).toEqual({ ...alone, documents: [] });
    expect(await takeAll(team.members.owner)).not.toEqual(alone);
  });

  it.each(Object.keys(opens))('opens nothing of another project: %s', async (name) => {
    for (const member of [manager, buyer]) {
      const refusal = opens[name]?.(member, other);
      await expect(refusal).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each([
    'order',
    'room',
    'reading',
    'cart',
    'cartOf',
    'reports',
    'reportMail',
    'blockList',
    'anchorPlan',
    'anchors',
  ])('opens the own project: %s', async (name) => {
    for (const member of [manager, buyer]) await opens[name]?.(member, own);
  });

  it('changes nothing that is for all projects', async () => {
    const project = createProjectBody.parse({
      ...{ domain: 'new.example.com', description: 'x', niche: 'General', postType: 'Guest posts' },
      ...{ targetUrl: 'https://new.example.com', keywords: 'x', country: 'USA' },
    });
    for (const member of [manager, buyer]) {
      await expect(addBlockedDomains(member, null, ['a.example.com'])).rejects.toMatchObject({ code: 'forbidden' });
      await expect(createProject(member, project)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await addBlockedDomains(team.members.owner, null, ['a.example.com']);
    const ofTeam = and(eq(auditLogs.entityId, team.accountId), eq(auditLogs.action, 'project.block_list_changed'));
    expect(await db().select().from(auditLogs).where(ofTeam)).toMatchObject([{ entityType: 'account' }]);
  });

  it('uses the articles of the own project and the own ones', async () => {
    const use = (member: Actor, id: string) =>
      db().transaction((tx) => attachArticles(tx, member, new Map([[id, 'articleId']])));
    const { id: uploaded } = await uploadArticle(buyer, Readable.from([Buffer.from('x')]), 'own.txt');
    const { id: unrelated } = await uploadArticle(team.members.owner, Readable.from([Buffer.from('x')]), 'other.txt');
    await use(buyer, own.article.id);
    await use(buyer, uploaded);
    for (const id of [other.article.id, unrelated])
      await expect(use(buyer, id)).rejects.toMatchObject({ code: 'not_found' });
    await use(team.members.buyer, unrelated);
    // A cart would make an article that of the project.
    const { version } = await getCart(buyer, own.cartId);
    const add = (articleId: string) =>
      saveCartItems(buyer, own.cartId, {
        version,
        items: [{ siteId: own.siteId, brief: { articleId } }],
      });
    await expect(add(other.article.id)).rejects.toMatchObject({
      details: { fields: { 'items.0.brief.articleId': expect.any(String) } },
    });
    // The article of a colleague, which the order takes with the cart.
    expect((await orderCart(buyer, own.cartId, { allowDuplicates: true })).orders).toHaveLength(1);
  });

  it('gets no events, which are of all projects', async () => {
    const input = { url: 'https://hooks.example.com/', events: ['order.created' as const], description: '' };
    await expect(createEndpoint(manager, 'own', input)).rejects.toMatchObject({ code: 'forbidden' });
    await distributeEvents();
    const query = { limit: 50, after: undefined, type: undefined };
    expect(await listEvents(manager, 'own', query)).toEqual([]);
    expect(await listNewestEvents(manager, 'own')).toEqual([]);
    expect(await listEndpoints(manager, 'own')).toEqual([]);
  });
});

describe('the roles of a team', () => {
  let team: Team;
  let filled: Filled;

  beforeAll(async () => {
    team = await makeTeam();
    await fundWallet(team.accountId, 100_000);
    filled = await fillProject(team, 'roles.example.com');
  });

  it.each(['finance', 'client'] as const)('keep rooms and disputes from the role %s', async (role) => {
    const member = team.members[role];
    await expect(findRoom(member, 'buyer', filled.orderId)).rejects.toMatchObject({ code: 'forbidden' });
    const dispute = await getDispute(filled.disputeId);
    expect(() => getReader(member, dispute)).toThrow('does not exist');
    // Nor as staff: a member is a party.
    const staff = { ...member, permissions: ['AdminDashboard', 'ManageOrders'] as const };
    expect(() => getReader(staff, dispute)).toThrow('does not exist');
  });

  it('give a Buyer the documents of the own orders, and others those of the account', async () => {
    const { owner, manager, buyer, finance, client } = team.members;
    const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
    const { orders: made } = await createOrder(buyer, {
      kind: 'custom',
      projectId: filled.projectId,
      siteIds: [siteId],
    });
    const mine = made[0]?.id ?? 0;
    await issueInvoices();
    const idsOf = async (member: Actor) => {
      const { rows, total } = await listDocuments(member, { limit: 50 });
      expect(total).toBe(rows.length);
      const [month] = await listDocumentMonths(member);
      expect(await readMonth(db(), member, { month: month ?? '2020-01', limit: 50 })).toHaveLength(rows.length);
      return rows;
    };
    const all = await idsOf(owner);
    expect(await idsOf(manager)).toEqual(all);
    expect(await idsOf(finance)).toEqual(all);
    const [document, ...others] = await idsOf(buyer);
    expect([document?.orderId, others]).toEqual([mine, []]);
    expect((await listDocuments(client, { limit: 50 })).rows).toEqual([]);

    for (const row of all) {
      const { number } = documentView(row);
      const open = (member: Actor) => findDocument(member, number);
      await open(finance);
      await expect(open(client)).rejects.toMatchObject({ code: 'not_found' });
      if (row.orderId === mine) await open(buyer);
      else await expect(open(buyer)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(listInvoices(buyer, filled.orderId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listInvoices(buyer, mine)).invoices).toHaveLength(1);
  });

  it('show movements of the wallet to those who manage it', async () => {
    const { owner, manager, finance } = team.members;
    const [ofOwner, ofFinance] = [await getLatestTransactions(owner), await getLatestTransactions(finance)];
    expect(ofOwner).not.toEqual([]);
    // Finance sees no orders beside them, so also their payments.
    expect(ofFinance).toEqual(expect.arrayContaining(ofOwner));
    expect(ofFinance.length).toBeGreaterThan(ofOwner.length);
    expect(await getLatestTransactions(manager)).toEqual([]);
  });
});

it('a token is of the account; an owner manages those of all members, a Manager the own', async () => {
  const { members } = await makeTeam();
  const { owner, manager, buyer } = members;
  const make = ({ userId, accountId }: Actor, name: string) => makeToken(userId, ['read'], { accountId, name });
  const personal = { ...owner, ...personalAccount(owner.userId) };
  const [ofOwner, ofManager, ofPerson] = [
    await make(owner, 'One'),
    await make(manager, 'Two'),
    await make(personal, 'Three'),
  ];
  const namesOf = async (actor: Actor) => (await listTokens(actor)).map(({ name, member }) => [name, member?.userId]);
  expect(await namesOf(owner)).toEqual([
    ['Two', manager.userId],
    ['One', owner.userId],
  ]);
  expect(await namesOf(manager)).toEqual([['Two', manager.userId]]);
  expect(await namesOf(personal)).toEqual([['Three', undefined]]);
  expect(await getTokenOverview(buyer)).toBeNull();
  for (const { id } of [ofOwner, ofPerson])
    await expect(revokeToken(manager, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(revokeToken(owner, ofPerson.id)).rejects.toMatchObject({ code: 'not_found' });
  await revokeToken(owner, ofManager.id);
  expect(await namesOf(manager)).toEqual([]);
});

it('a token is not created by who loses the role or the membership meanwhile', async () => {
  const { accountId, members } = await makeTeam();
  const { manager } = members;
  const { sessionId: id, userId } = manager;
  await db()
    .insert(sessions)
    .values({ id, userId, ip: '', userAgent: '', expiresAt: new Date(Date.now() + 60_000) });
  const create = () => createToken(manager, { name: 'Late', scopes: ['read'], allowedIps: [] });
  const membership = and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId));
  await db().update(accountMembers).set({ role: 'buyer' }).where(membership);
  await expect(create()).rejects.toMatchObject({ code: 'forbidden' });
  await db().delete(accountMembers).where(membership);
  await expect(create()).rejects.toMatchObject({ code: 'not_found' });
});

it('a webhook of a team gets its events until the member who saved it may not have them', async () => {
  const team = await makeTeam();
  const { owner } = team.members;
  const manager = await joinTeam(await makeUser('Seller'), team, 'manager');
  await fundWallet(team.accountId, 50_000);
  const projectId = await makeProject(owner, { accountId: team.accountId });
  const input = {
    url: 'https://hooks.example.com/',
    events: ['order.created' as const, 'placement.offered' as const],
    description: '',
  };
  const { id } = await createEndpoint(manager, 'own', input);
  // What the member is offered as a seller is not news of the team.
  await makeOffer(1_000, {}, { seller: manager });
  const order = async () => {
    const siteId = await makeSite((await makeUser('Seller')).userId, 1_000);
    await createOrder(owner, { kind: 'custom', projectId, siteIds: [siteId] });
    await distributeEvents();
    return db().$count(webhookDeliveries, eq(webhookDeliveries.endpointId, id));
  };
  expect(await order()).toBe(1);
  const personal = { ...manager, ...personalAccount(manager.userId) };
  const audiencesOf = async (actor: Actor) =>
    (await listEvents(actor, 'own', { limit: 100 })).map(({ audience }) => audience);
  expect(await audiencesOf(personal)).toContain('seller');
  expect(await audiencesOf(await joinTeam(await makeUser('Seller'), personal, 'owner'))).not.toContain('seller');
  expect(await listEndpoints(owner, 'own')).toMatchObject([{ id, isOwnerEntitled: true, ownerEmail: manager.email }]);
  const membership = and(eq(accountMembers.accountId, team.accountId), eq(accountMembers.userId, manager.userId));
  for (const lost of [{ role: 'buyer' as const }, { role: 'manager' as const, projectIds: [projectId] }]) {
    await db().update(accountMembers).set(lost).where(membership);
    expect(await order()).toBe(1);
  }
  await db().delete(accountMembers).where(membership);
  expect(await order()).toBe(1);
  expect(await listEndpoints(owner, 'own')).toMatchObject([{ id, isOwnerEntitled: false }]);
  await db().update(webhookEndpoints).set({ savedBy: owner.userId }).where(eq(webhookEndpoints.id, id));
  expect(await order()).toBe(2);
  // The events of a team are not those of its members.
  expect(await db().$count(orders, eq(orders.accountId, owner.userId))).toBe(0);
});

it('a payment returns to the account that started it, whatever account is open then', async () => {
  const team = await makeTeam();
  const { owner, finance, manager, buyer } = team.members;
  const id = await makeTopup({ userId: team.accountId });
  const personal = { ...finance, ...personalAccount(finance.userId) };
  for (const payer of [owner, finance, personal])
    expect(await requireOwnTopup(payer, id)).toMatchObject({ accountId: team.accountId });
  for (const stranger of [manager, buyer, await makeUser()])
    await expect(requireOwnTopup(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
});
