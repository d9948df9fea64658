import { eq, max, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, expect, it } from 'vitest';
import { listTasks } from '@/app/(admin)/dashboard/_components/attention-card';
import { FigureTiles } from '@/app/(admin)/dashboard/_components/revenue-figures';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { orderStatuses, orders } from '@/db/schema/orders';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { nicheProposals, niches } from '@/db/schema/taxonomy';
import { webhookEvents } from '@/db/schema/topups';
import { getGrowth, getLatestActivity, getRevenue, haveSellersEarned, type RevenueSums } from '@/lib/dashboard/admin';
import { getAttention, listFailedMails } from '@/lib/dashboard/attention';
import {
  countBuyerOrders,
  countBuyerProjects,
  countSavedFilters,
  getLatestOrders,
  getLatestTransactions,
} from '@/lib/dashboard/buyer';
import { getSellerActivity } from '@/lib/dashboard/seller';
import { newId } from '@/lib/ids';
import { postTransfer, revenueAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { updateOrder } from '@/lib/orders/order/update';
import { recordAudit } from '@/lib/platform/audit/record';
import { listOwnOwnership } from '@/lib/sites/ownership/list-proofs';
import { countSellerGaps, getSellerStats, listSellerSites } from '@/lib/sites/seller-queries';
import { saveFilter } from '@/lib/users/saved-filters';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { routed, textOf } from '@/tests/setup/render-part';

const exact = (total: number) => ({ total, isCapped: false });
const oneMore = ({ total }: { total: number }) => exact(total + 1);
const counted = (all: number, awaiting: number) => ({ all: exact(all), awaiting: exact(awaiting) });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());
/** Dates the transfers of an order back. */
const bookedAt = (id: number, at: Date) =>
  owner.begin(async (tx) => {
    await tx`alter table ledger.transfers disable trigger user`;
    await tx`update ledger.transfers set created_at = ${at} where order_id = ${id}`;
    await tx`alter table ledger.transfers enable trigger user`;
  });

it('counts revenue from the books, on the day of each booking and net of refunds', async () => {
  const today = await makeOrder(5_000);
  const refunded = await makeOrder(7_000);
  const older = await makeOrder(11_000);
  const ancient = await makeOrder(13_000);
  await postTransfer(db(), {
    key: `refund:${refunded.id}:1`,
    kind: 'order_refund',
    from: revenueAccount,
    to: walletAccount(refunded.buyer.userId),
    amountCents: 7_000,
    currency: 'USD',
    orderId: refunded.id,
  });
  await bookedAt(older.id, daysAgo(10));
  const all = await getRevenue();
  const { totals } = await verifyBooks();
  expect(all.recent.keptCents).toBe(totals.find(({ kind }) => kind === 'revenue')?.balanceCents);
  expect(all.days).toHaveLength(30);
  const sales = (cents: number) => ({ salesCents: cents, sellersCents: 0, keptCents: cents });
  const thisDay = new Date().toISOString().slice(0, 10);
  expect(all.days.at(-1)).toEqual({ day: thisDay, ...sales(5_000 + 13_000) });
  expect(all.days.find(({ day }) => day === daysAgo(10).toISOString().slice(0, 10))).toMatchObject(sales(11_000));
  expect(await haveSellersEarned()).toBe(false);

  await bookedAt(ancient.id, daysAgo(40));
  expect(await getRevenue()).toMatchObject({ recent: sales(5_000 + 11_000), before: sales(13_000) });
  await bookedAt(today.id, daysAgo(90));
  expect(await getRevenue()).toMatchObject({ recent: sales(11_000), before: sales(13_000) });
  // A refund changes the day on which it is made, and no earlier one.
  await updateOrder(await makeUser('Admin'), ancient.id, { status: 'Refunded' });
  expect(await getRevenue()).toMatchObject({ recent: sales(11_000 - 13_000), before: sales(13_000) });
});

it('divides sales into the parts of sellers, of the platform, and what is reserved', async () => {
  const before = await getRevenue();
  await makePlacement('offered');
  await makePlacement('approved');
  await makePlacement('settled', { buyerPercent: 25, isApproved: true });
  await makePlacement('settled', { buyerPercent: 10 });
  await makePlacement('declined');
  const { id } = await makePlacement('taken_over');
  await bookedAt(id, daysAgo(40));
  const added = { salesCents: 1_000 + 1_000 + 750 + 900, sellersCents: 600 + 450 + 540, keptCents: 400 + 300 + 360 };
  const after = await getRevenue();
  const addedTo = (one: RevenueSums, other: RevenueSums) => ({
    salesCents: one.salesCents - other.salesCents,
    sellersCents: one.sellersCents - other.sellersCents,
    keptCents: one.keptCents - other.keptCents,
  });
  expect(addedTo(after.recent, before.recent)).toEqual(added);
  expect(addedTo(after.before, before.before)).toEqual({ salesCents: 1_000, sellersCents: 0, keptCents: 1_000 });
  while ((await rollUpLedger()).rolledUp > 0);
  expect(await getRevenue()).toEqual(after);
  const { checks } = await verifyBooks();
  expect(checks.filter(({ name, broken }) => broken > 0 && name.includes('rolled-up'))).toEqual([]);
  expect(await haveSellersEarned()).toBe(true);
});

it('has the four cards, of which Revenue is only for who may see it', async () => {
  const labels = async (revenue: ReturnType<typeof getRevenue> | null) =>
    textOf(renderToStaticMarkup(routed(await FigureTiles({ growth: getGrowth(), revenue })))).match(
      /Users|Projects|Guest Posts|Revenue/g,
    );
  expect(await labels(getRevenue())).toEqual(['Users', 'Projects', 'Guest Posts', 'Revenue']);
  expect(await labels(null)).toEqual(['Users', 'Projects', 'Guest Posts']);
});

it('compares the last 30 days with the previous 30, without deleted records', async () => {
  const before = await getGrowth();
  await makeUser('User', { createdAt: daysAgo(3) });
  await makeUser('User', { createdAt: daysAgo(45) });
  await makeUser('User', { createdAt: daysAgo(400) });
  await makeUser('User', { deletedAt: new Date() });
  const after = await getGrowth();
  expect(after.users.all.total - before.users.all.total).toBe(3);
  expect(after.users.recent - before.users.recent).toBe(1);
  expect(after.users.before - before.users.before).toBe(1);
});

it('shows staff the pending work', async () => {
  const before = await getAttention();
  const { id, buyer } = await makeOrder(1_000);
  const other = await makeOrder(1_000);
  await db().update(orders).set({ status: 'Processing' }).where(eq(orders.id, other.id));
  const pendingSite = await makeSite((await makeUser('Seller')).userId, 1_000);
  await db().update(sites).set({ status: 'Pending' }).where(eq(sites.id, pendingSite));
  await makeTopup(buyer, { status: 'review' });
  await db().insert(niches).values({ name: 'Known' });
  await db()
    .insert(nicheProposals)
    .values([
      { key: 'new', name: 'New', proposedBy: buyer.userId },
      { key: 'alias', name: 'Alias', proposedBy: buyer.userId, niche: 'Known' },
    ]);
  const notification = { provider: 'paypal', mode: 'live', type: 'test', payload: {} } as const;
  await db()
    .insert(webhookEvents)
    .values([
      { ...notification, id: newId(), eventId: newId(), error: 'It failed.' },
      { ...notification, id: newId(), eventId: newId(), error: 'It failed once.', processedAt: new Date() },
      { ...notification, id: newId(), eventId: newId() },
    ]);
  const mail = { kind: 'test', recipient: 'a@example.com', subject: 'Hello', html: '', text: '' };
  await db()
    .insert(mails)
    .values([
      { ...mail, id: newId(), failedAt: daysAgo(2), error: 'No such mailbox.' },
      { ...mail, id: newId(), failedAt: daysAgo(8), error: 'No such mailbox.' },
      { ...mail, id: newId(), sentAt: daysAgo(2) },
    ]);
  expect(await getAttention()).toEqual({
    failedNotifications: [{ provider: 'paypal', mode: 'live', count: 1 }],
    failedMails: oneMore(before.failedMails),
    missingLinks: before.missingLinks,
    unknownLinks: before.unknownLinks,
    requestedPayouts: before.requestedPayouts,
    approvedPayouts: before.approvedPayouts,
    requestedRefunds: before.requestedRefunds,
    pendingOrders: oneMore(before.pendingOrders),
    processingOrders: oneMore(before.processingOrders),
    topupsInReview: oneMore(before.topupsInReview),
    paymentDisputes: before.paymentDisputes,
    withheld: before.withheld,
    owing: before.owing,
    pendingSites: oneMore(before.pendingSites),
    nichesToReview: oneMore(before.nichesToReview),
    overdueDisputes: before.overdueDisputes,
    lateOrders: before.lateOrders,
    contactDataOrders: before.contactDataOrders,
    rates: before.rates,
    undeliveredInvoices: before.undeliveredInvoices,
    backupProblem: null,
    isAhrefsKeyRefused: false,
  });
  const namesOf = async (actor: Parameters<typeof listTasks>[0]) => (await listTasks(actor)).map(({ label }) => label);
  const tasks = await namesOf(await makeUser('Admin'));
  expect(tasks.slice(0, 2)).toEqual(['Top-ups in review', 'PayPal notifications failed']);
  expect(tasks).toContain('Orders pending');
  expect(await namesOf(await makeStaff('ManageOrders'))).toEqual(tasks.filter((name) => name.startsWith('Orders')));
  expect(await listFailedMails()).toMatchObject([{ recipient: 'a@example.com', error: 'No such mailbox.' }]);
  await db().update(orders).set({ deletedAt: new Date() }).where(eq(orders.id, id));
  expect((await getAttention()).pendingOrders).toEqual(before.pendingOrders);
});

it("sums up a buyer's awaited orders, projects, latest orders and money", async () => {
  const { id, buyer } = await makeOrder(2_500, 700);
  expect(await countBuyerOrders(buyer)).toEqual(counted(1, 1));
  await db().update(orders).set({ status: 'Completed' }).where(eq(orders.id, id));
  expect(await countBuyerOrders(buyer)).toEqual(counted(1, 0));
  expect(await countBuyerProjects(buyer)).toEqual(exact(1));
  expect(await countSavedFilters(buyer.userId)).toBe(0);
  await saveFilter(buyer, { list: 'marketplace', name: 'Cheap', query: 'maxPrice=50', overwrite: false });
  expect(await countSavedFilters(buyer.userId)).toBe(1);
  expect(await getLatestOrders(buyer)).toMatchObject([
    { kind: 'order', number: id, amountCents: 2_500, status: 'Completed' },
  ]);
  // The payment is in the list as the order.
  expect(await getLatestTransactions(buyer)).toMatchObject([
    { kind: 'transaction', type: 'credit', amountCents: 3_200, pending: null },
  ]);
  await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
  const topupId = await makeTopup(buyer);
  expect(await getLatestTransactions(buyer)).toMatchObject([
    { type: 'credit', amountCents: 10_000, pending: { id: topupId } },
    { type: 'credit', amountCents: 2_500, note: expect.stringContaining('Refund of order'), pending: null },
    { type: 'credit', amountCents: 3_200, pending: null },
  ]);
  const stranger = await makeUser();
  expect(await countBuyerOrders(stranger)).toEqual(counted(0, 0));
  expect(await countSavedFilters(stranger.userId)).toBe(0);
  expect(await getLatestOrders(stranger)).toEqual([]);
});

it('counts the orders with the statuses that the dashboard names, and no others', async () => {
  const { id, buyer } = await makeOrder(1_000);
  for (const status of orderStatuses) {
    await db().update(orders).set({ status }).where(eq(orders.id, id));
    const awaiting = ['Pending', 'Processing'].includes(status) ? 1 : 0;
    expect(await countBuyerOrders(buyer), status).toEqual(counted(1, awaiting));
  }
  await db().update(orders).set({ status: 'Pending', deletedAt: new Date() }).where(eq(orders.id, id));
  expect(await countBuyerOrders(buyer)).toEqual(counted(0, 0));
});

it('shows a seller the events of their own sites without staff names', async () => {
  const seller = await makeUser('Seller');
  const admin = await makeUser('Admin');
  const own = await makeSite(seller.userId, 1_000);
  const foreign = await makeSite((await makeUser('Seller')).userId, 1_000);
  await db()
    .update(sites)
    .set({ createdAt: daysAgo(2) })
    .where(eq(sites.id, own));
  for (const entityId of [own, foreign]) {
    await recordAudit(
      db(),
      admin,
      {
        action: 'site.updated',
        details: 'The margin price is 99.00 now.',
        entityType: 'site',
        entityId,
        before: { status: 'Pending' },
        after: { status: 'Approved', adminPriceCents: 9_900 },
      },
      // The status did not change, so there is no event.
      {
        action: 'site.updated',
        details: 'The price changed.',
        entityType: 'site',
        entityId,
        before: { status: 'Approved' },
        after: { status: 'Approved' },
      },
    );
  }
  const events = await getSellerActivity(seller.userId);
  expect(events.map(({ status }) => status)).toEqual(['Approved', null]);
  for (const event of events) expect(Object.keys(event).sort()).toEqual(['at', 'id', 'siteName', 'status']);
});

it("finds recent events of a large seller's old sites as well", async () => {
  const seller = await makeUser('Seller');
  const admin = await makeUser('Admin');
  const old = await makeSite(seller.userId, 1_000);
  await db().execute(sql`
    insert into sites (owner_id, name, url, url_key, domain, country)
    select ${seller.userId}, 'Many', 'https://many' || n || '.example.com', 'many' || n, 'many' || n || '.example.com', 'USA' from generate_series(1, 400) n`);
  const [newest] = await db()
    .select({ id: max(sites.id) })
    .from(sites);
  const change = { action: 'site.updated', details: 'Changed.', entityType: 'site' };
  const toRejected = { before: { status: 'Pending' }, after: { status: 'Rejected' } };
  await recordAudit(
    db(),
    admin,
    { ...change, ...toRejected, entityId: old },
    { ...change, ...toRejected, entityId: newest?.id ?? 0 },
    { ...change, ...toRejected, entityType: 'order', entityId: 'none' },
  );
  const events = await getSellerActivity(seller.userId);
  expect(events).toHaveLength(6);
  expect(events.slice(0, 2).map(({ status }) => status)).toEqual(['Rejected', 'Rejected']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(6);
});

it("finds a seller's sites with missing data, and lists exactly those", async () => {
  const seller = await makeUser('Seller');
  expect(await countSellerGaps(seller.userId)).toBeNull();
  const complete = {
    ...{ niche: 'Travel', spam: 2, dr: 50, da: 40, traffic: 900, sellerPriceCents: 4_000 },
    ownership: 'owner' as const,
  };
  await makeSite(seller.userId, 5_000, complete);
  expect(await countSellerGaps(seller.userId)).toEqual({
    gaps: { niche: 0, spam: 0, metrics: 0, stale: 0, ownership: 0 },
    isCapped: false,
  });
  const old = await makeSite(seller.userId, 5_000, {
    ...complete,
    ...{ niche: 'General', da: null, ownership: 'contributor' as const, updatedAt: daysAgo(120) },
  });
  expect(await countSellerGaps(seller.userId)).toEqual({
    gaps: { niche: 1, spam: 1, metrics: 1, stale: 0, ownership: 1 },
    isCapped: false,
  });
  for (const gap of ['niche', 'spam', 'metrics', 'ownership'] as const) {
    const { rows, total } = await listSellerSites(seller.userId, { gap, limit: 10 });
    expect([rows.map((row) => row.id), total]).toEqual([[old], 1]);
  }
  expect(await getSellerStats(seller.userId)).toEqual({
    paused: 0,
    approved: 2,
    pending: 0,
    rejected: 0,
    averagePriceCents: 4_000,
    isCapped: false,
  });
});

it('shows a seller the proofs of own sites, and nothing of others', async () => {
  const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
  const mine = await makeSite(seller.userId, 5_000, { ownership: 'contributor' });
  const [site] = await db().select().from(sites).where(eq(sites.id, mine));
  const domain = site?.domain ?? '';
  const theirs = await makeSite(other.userId, 5_000, { url: site?.url, urlKey: site?.urlKey, ownership: 'owner' });
  const proof = {
    method: 'file' as const,
    verifiedAt: daysAgo(3),
    checkedAt: daysAgo(1),
    problems: [],
  };
  await db()
    .insert(ownershipProofs)
    .values({ ...proof, sellerId: other.userId, domain });
  expect([...(await listOwnOwnership(seller.userId, [mine, theirs]))]).toEqual([
    [mine, { domain, ownership: 'contributor', proof: null }],
  ]);
  expect((await listOwnOwnership(other.userId, [mine, theirs])).get(theirs)).toEqual({
    domain,
    ownership: 'owner',
    proof: { ...proof, countsUntil: null },
  });
});

it('excludes sign-ins from the latest activity', async () => {
  const person = await makeUser();
  const entry = (action: string) => ({ action, details: action, entityType: 'user', entityId: person.userId });
  await recordAudit(db(), person, entry('project.created'), entry('session.started'));
  const theirs = (await getLatestActivity(50)).filter(({ user }) => user === person.email);
  expect(theirs).toMatchObject([{ details: 'project.created' }]);
});
