import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import type { Permission } from '@/lib/access/permissions';
import { getOfferFigures } from '@/lib/dashboard/seller-figures';
import { exportSellers, getSellerFigures, listSellers, sellerRights, sellerSortKeys } from '@/lib/dashboard/sellers';
import { listRecordCauses, recordCauses } from '@/lib/sites/record/list-causes';
import { listOwnRecords } from '@/lib/sites/record/list-own';
import { getListingRecord, getSellerRecord } from '@/lib/sites/record/read';
import { refreshRecords } from '@/lib/sites/record/refresh';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makeOffer } from '@/tests/factories/make-offer';
import { makePayout } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { accept, decline } from '@/tests/setup/placement-verbs';

const all = { seesSites: true, seesMoney: true };
const first = { limit: 25, offset: 0 };

/** A seller with offers of every kind, and one who was paid. */
let busy: Actor;
let paid: Actor;
const date = (orderId: number, daysAgo: number, values: Partial<typeof placements.$inferInsert> = {}) =>
  db()
    .update(placements)
    .set({ createdAt: new Date(Date.now() - daysAgo * 86_400_000), ...values })
    .where(eq(placements.orderId, orderId));

beforeAll(async () => {
  await db().update(users).set({ deletedAt: sql`now()` }).where(eq(users.role, 'Seller'));
  busy = await makeUser('Seller', { name: 'Busy' });
  const offer = () => makeOffer(2_000, {}, { seller: busy });
  const accepted = await offer();
  await accept(accepted);
  const late = await offer();
  await accept(late);
  // The revision of a delivery that came in time is overdue.
  const deliveredAt = new Date(Date.now() - 3_600_000);
  await date(late.id, 1, { state: 'in_revision', deliveredAt, deliveryDueAt: new Date(Date.now() - 1_000) });
  await decline(await offer());
  const old = await offer();
  await decline(old);
  await date(old.id, 100);
  await makePlacement('lost', { seller: busy });
  await makeDispute('delivered', { seller: busy });
  const approved = await makePlacement('approved', { seller: busy });
  await date(approved.id, 40);
  paid = (await makePayout('paid')).seller;
  await makeSite(paid.userId, 1_000);
  await db().update(users).set({ name: 'Paid' }).where(eq(users.id, paid.userId));
});

it('lists the figures of sellers by period, as their own dashboard counts them', async () => {
  const of90 = await getSellerFigures(busy.userId, { period: '90', ...all });
  expect(of90).toMatchObject({
    offers: 6,
    accepted: 2,
    declined: 1,
    expired: 0,
    disputed: 1,
    acceptance: 2 / 3,
    late: 1,
    lost: 1,
  });
  const { offers, accepted, declined, medianSeconds } = await getOfferFigures(busy.userId);
  expect(of90).toMatchObject({ offers, accepted, declined, medianSeconds });
  expect(await getSellerFigures(busy.userId, { period: 'all', ...all })).toMatchObject({ offers: 7, declined: 2 });
  expect(await getSellerFigures(paid.userId, { period: '90', ...all })).toMatchObject({
    ...{ sites: 2, paidCents: 10_000, earnedCents: 10_000 },
  });
});

it('lists the record of each seller, as the seller sees it, and sorts and pages by it on the server', async () => {
  const quiet = await Promise.all([1, 2, 3].map((number) => makeUser('Seller', { name: `Quiet ${number}` })));
  for (let run = await refreshRecords(); run.computed > 0; ) run = await refreshRecords();
  const list = async (key: Parameters<typeof listSellers>[0]['sort']['key'], order: 'asc' | 'desc', page = first) =>
    (await listSellers({ ...all, sort: { key, order }, ...page })).rows;
  const namesBy = async (...of: Parameters<typeof list>) => (await list(...of)).map(({ name }) => name);
  const byId = quiet.map(({ userId }, index) => ({ userId, name: `Quiet ${index + 1}` }));
  const ascending = byId.toSorted((one, other) => (one.userId < other.userId ? -1 : 1)).map(({ name }) => name);
  expect(await namesBy('name', 'asc')).toEqual(['Busy', 'Paid', 'Quiet 1', 'Quiet 2', 'Quiet 3']);
  expect(await namesBy('orders', 'desc')).toEqual(['Busy', 'Paid', ...ascending.toReversed()]);
  const [listed] = await list('name', 'asc');
  expect(listed?.own).toEqual(await getSellerRecord(busy.userId));
  expect(listed?.own.record).not.toBeNull();
  for (const row of (await list('name', 'asc')).slice(1)) expect(row.own).toMatchObject({ record: null });
  // Only one seller has enough orders for a record: unknown values are last in both directions.
  const known = ['acceptedInTime', 'deliveredInTime', 'reliability', 'revisionsPerOrder', 'disputesLost'] as const;
  for (const key of known)
    for (const order of ['asc', 'desc'] as const) expect((await namesBy(key, order))[0], key).toBe('Busy');
  for (const key of ['medianDays', 'alive30', 'alive90', 'alive365'] as const)
    expect((await namesBy(key, 'asc')).length, key).toBe(5);
  expect((await namesBy('paid', 'desc'))[0]).toBe('Paid');
  for (const key of ['answer', 'late', 'lost'] as const) expect((await namesBy(key, 'desc'))[0], key).toBe('Busy');
  const pages = await Promise.all([0, 2, 4, 6].map((offset) => namesBy('orders', 'asc', { limit: 2, offset })));
  expect(pages.flat()).toEqual([...ascending, 'Paid', 'Busy']);
  const beyond = await listSellers({
    ...all,
    sort: { key: 'orders', order: 'asc' },
    limit: 2,
    offset: 6,
  });
  expect(beyond.total).toBe(5);
  expect((await listSellers({ q: 'BUS', ...all, sort: { key: 'name', order: 'asc' }, ...first })).total).toBe(1);
  await db()
    .update(users)
    .set({ deletedAt: sql`now()` })
    .where(
      inArray(
        users.id,
        quiet.map(({ userId }) => userId),
      ),
    );
});

it('tells sellers which own orders lower the record, and no order of another seller', async () => {
  const causes = await listRecordCauses(busy.userId);
  const totals = Object.fromEntries(causes.map(({ cause, total }) => [cause, total]));
  expect(totals).toMatchObject({ overdue: 1, 'to deliver': 1, declined: 2 });
  expect(causes.map(({ cause }) => cause)).toEqual(recordCauses.filter((cause) => cause in totals));
  const named = causes.flatMap(({ orders }) => orders.map(({ id }) => id));
  const owners = await db().select().from(placements).where(inArray(placements.orderId, named));
  expect(new Set(owners.map(({ sellerId }) => sellerId))).toEqual(new Set([busy.userId]));
  expect(await listRecordCauses(paid.userId)).toEqual([]);
});

it('lists the own sites with orders, each with the record that buyers see', async () => {
  const { rows, total } = await listOwnRecords(busy.userId, { limit: 2, offset: 0 });
  expect(total).toBeGreaterThan(rows.length);
  for (const row of rows) expect(row.record).toEqual(await getListingRecord(row.id));
  const beyond = await listOwnRecords(busy.userId, { limit: 2, offset: 1_000 });
  expect(beyond).toEqual({ rows: [], total, isCapped: false });
});

it.each<[Permission[], boolean, boolean]>([
  [['ManageOrders'], false, false],
  [['ManageOrders', 'ManageSites'], true, false],
  [['ManageOrders', 'ManagePayouts'], false, true],
  [['ManageOrders', 'ManageWallets'], false, true],
])('shows and sorts by sites and money only with their permissions: %j', async (granted, seesSites, seesMoney) => {
  const rights = sellerRights({ role: 'Desk', permissions: ['AdminDashboard', ...granted] });
  expect(rights).toEqual({ seesSites, seesMoney });
  expect(sellerSortKeys(rights).includes('earned')).toBe(seesMoney);
  expect(sellerSortKeys(rights).includes('sites')).toBe(seesSites);
  const [row] = (await listSellers({ ...rights, sort: { key: 'name', order: 'asc' }, ...first })).rows;
  expect([row?.sites === null, row?.earnedCents === null, row?.paidCents === null]).toEqual([
    !seesSites,
    !seesMoney,
    !seesMoney,
  ]);
  let file = '';
  for await (const piece of exportSellers(rights, db())) file += piece;
  const [header = '', line] = file.split('\r\n');
  expect(header.includes('Earned')).toBe(seesMoney);
  expect(header.includes('Sites')).toBe(seesSites);
  expect(line).toContain('Busy');
  expect(header).toContain('Accepted in time %,Answer hours,Delivered in time %,Median days,Late');
});
