import { eq, type SQL, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { placements } from '@/db/schema/placements';
import { fulfilmentRecords, recordMarks, recordRollup } from '@/db/schema/records';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { listSellerRecords, sellerRecordSortKeys, sellerRecordsQuery } from '@/lib/dashboard/seller-records';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { createOrder } from '@/lib/orders/order/create';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { findListedSite } from '@/lib/sites/catalogue/listed-sites';
import { listAllSites, listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { computeRecords } from '@/lib/sites/record/compute';
import { getListingRecord, getSellerRecord } from '@/lib/sites/record/read';
import { getRecordDay, refreshRecords } from '@/lib/sites/record/refresh';
import { getWilsonLowerBound } from '@/lib/sites/record/statistics';
import type { FulfilmentRecord } from '@/lib/sites/responses';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { accept, actByStaff, approve, cancel, decline, deliver, revise } from '@/tests/setup/placement-verbs';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

let buyer: Actor;
let admin: Actor;
let projectId: string;

beforeAll(async () => {
  [buyer, admin] = await Promise.all([makeUser(), makeUser('Admin')]);
  await fundWallet(buyer.userId, 1_000_000);
  projectId = await makeProject(buyer);
});

const listSite = (seller: Actor, values: Partial<typeof sites.$inferInsert> = {}) =>
  makeSite(seller.userId, 1_000, { isFulfilledByStaff: false, url: 'https://blog.example.com', ...values });

async function place(siteId: number, seller: Actor) {
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const [order] = orders;
  if (!order) throw new Error('No order was made.');
  return { id: order.id, buyer, seller };
}

const setPlacement = (id: number, values: Partial<typeof placements.$inferInsert>) =>
  db().update(placements).set(values).where(eq(placements.orderId, id));
const setWatch = (id: number, values: Partial<typeof linkWatches.$inferInsert>) =>
  db().update(linkWatches).set(values).where(eq(linkWatches.orderId, id));

/** Waits for the jobs: runs until nothing is left to compute. */
async function refreshAll() {
  while ((await refreshRecords()).computed > 0);
}

it('counts each figure of a listing and of its seller, at once and after the roll-up', async () => {
  const seller = await makeUser('Seller', { name: 'Reliable' });
  const siteId = await listSite(seller);
  const another = await listSite(seller, { postType: 'Homepage links' });
  const publish = async (number: number) => {
    const order = await place(siteId, seller);
    await accept(order);
    if (number === 2) await setPlacement(order.id, { deliveryDueAt: daysAgo(1) });
    await deliver(order);
    if (number === 2 || number === 3) {
      await revise(order);
      await deliver(order);
    }
    await approve(order);
    await setPlacement(order.id, { approvedAt: daysAgo(100) });
    return order.id;
  };
  const [first = 0, , , fourth = 0] = await Promise.all([1, 2, 3, 4].map(publish));
  expect(await getListingRecord(siteId)).toBeNull();
  const fifth = await publish(5);
  await setPlacement(first, { state: 'lost' });
  await setWatch(first, { endReason: 'lost', endedAt: daysAgo(60) });
  const decide = async (id: number, buyerPercent: number) => {
    const dispute = await openDispute(buyer, id, 'buyer', { reason: 'other', text: 'The link is gone.' });
    await decideDispute(admin, dispute.id, { buyerPercent, note: 'Half' });
  };
  const [expired, old] = await Promise.all([place(siteId, seller), place(siteId, seller)]);
  await Promise.all([
    ...[decide(fourth, 50), decide(fifth, 10), place(siteId, seller).then(decline)],
    // The buyer withdrew this one, staff took that one over, and declined another. The last is of another listing.
    place(siteId, seller).then(cancel),
    place(siteId, seller).then(({ id }) => actByStaff(admin, id, { action: 'takeOver' })),
    place(siteId, seller).then(({ id }) => actByStaff(admin, id, { action: 'decline' })),
    place(another, seller).then((order) => accept(order)),
  ]);
  await setPlacement(expired.id, { answerDueAt: daysAgo(1), nextActionAt: daysAgo(1) });
  await runPlacementClocks();
  // Older than the window.
  await db().execute(sql`update orders set created_at = now() - interval '400 days' where id = ${old.id}`);

  const ofListing = {
    orders: 8,
    acceptedInTime: 5 / 8,
    deliveredInTime: 4 / 5,
    medianDays: 0,
    revisionsPerOrder: 2 / 8,
    disputesLost: 1,
    alive: { '30': { share: 1, links: 5 }, '90': { share: 4 / 5, links: 5 }, '365': null },
  };
  const ofSeller = {
    ...ofListing,
    orders: 8,
    acceptedInTime: 6 / 8,
    deliveredInTime: 4 / 6,
  };
  const reliability = getWilsonLowerBound((4 / 6) * (4 / 5), 6);
  const check = async () => {
    expect((await findListedSite(siteId))?.record).toEqual(ofListing);
    expect(await getListingRecord(another)).toBeNull();
    expect(await getSellerRecord(seller.userId)).toEqual({ record: ofSeller, orders: 8, accepted: 6, reliability });
  };
  await check();
  await refreshAll();
  expect(await db().$count(recordMarks)).toBe(0);
  await check();
  const [site] = await db().select().from(sites).where(eq(sites.id, siteId));
  expect(site?.reliability).toBeCloseTo(getWilsonLowerBound((4 / 5) * (4 / 5), 5), 12);

  for (const list of [listListedSites, listAllSites]) {
    const { rows } = await list({ ids: [another, siteId], limit: 5, sort: 'reliability', order: 'desc' });
    expect(rows.map(({ id }) => id)).toEqual([siteId, another]);
  }

  // What is newer than the roll-up counts at once.
  await decline(await place(siteId, seller));
  expect((await getListingRecord(siteId))?.orders).toBe(9);
  expect((await getSellerRecord(seller.userId)).orders).toBe(9);
});

it('counts what staff fulfill for the listing only', async () => {
  const seller = await makeUser('Seller');
  const siteId = await listSite(seller, { isFulfilledByStaff: true, tatDays: 3 });
  const placed = await Promise.all(Array.from({ length: 7 }, () => place(siteId, seller)));
  for (const [index, { id }] of placed.entries()) {
    const number = index + 1;
    const status = number === 6 ? 'Pending' : number === 7 ? 'Refunded' : 'Live';
    await db().execute(sql`update orders set status = ${status} where id = ${id}`);
    if (status === 'Live')
      await db().execute(sql`
        insert into link_watches (order_id, buyer_id, site_url, page_url, host, target_url, started_at, broken_confirmed_at)
        select id, account_id, website, website, 'blog.example.com', website, created_at + make_interval(days => ${number}),
          null
        from orders where id = ${id}`);
  }
  // Due after three days and two of grace: all five are in time, and the order that waits is not.
  expect(await getListingRecord(siteId)).toMatchObject({
    ...{ orders: 6, acceptedInTime: 5 / 6, deliveredInTime: 1, medianDays: 3 },
    alive: { '30': null },
  });
  expect(await getSellerRecord(seller.userId)).toEqual({ record: null, orders: 0, accepted: 0, reliability: null });
});

/** Inserts orders that a seller fulfills, without their placements. @param planned selects their `site_id` and `at` */
const insertOrders = (planned: SQL) => sql`
  insert into orders (account_id, ordered_by, checkout_id, kind, site_id, project_id, website, price_cents, currency, usd_micros_per_unit,
    charged_cents, status, project_domain, project_target_url, project_keywords, created_at, is_fulfilled_by_seller)
  select ${buyer.userId}, ${buyer.userId}, (select min(id) from checkouts), 'custom', site_id, ${projectId}, 'https://blog.example.com', 1000,
    'USD', 1000000, 1000, 'Live', 'a.example', 'https://a.example', '', at, true from (${planned}) as planned
  returning *`;

it('estimates from links that were watched alike, so that one loss is one of all', async () => {
  const seller = await makeUser('Seller');
  const siteId = await listSite(seller);
  // Six links of which the guarantee ended in the window, and a new one that was lost.
  await db().execute(sql`
    with new as (${insertOrders(sql`
      select ${siteId}::int as site_id, now() - make_interval(days => age) as at from unnest(array[455, 454, 453, 452, 451, 450, 40]) age`)}),
    placed as (
      insert into placements (order_id, seller_id, buyer_id, state, seller_cents, margin_cents, turnaround_days,
        answer_due_at, approved_at, created_at)
      select id, ${seller.userId}, account_id, case when created_at > now() - interval '50 days' then 'lost' else 'closed' end, 500,
        500, 5, created_at + interval '3 days', created_at + interval '5 days', created_at from new returning *
    )
    insert into link_watches (order_id, buyer_id, seller_id, site_url, page_url, host, target_url, started_at, ended_at, end_reason)
    select order_id, buyer_id, seller_id, 'https://blog.example.com', 'https://blog.example.com/' || order_id, 'blog.example.com',
      'https://a.example', approved_at, approved_at + make_interval(days => case state when 'lost' then 10 else 90 end),
      case state when 'lost' then 'lost' else 'over' end from placed`);
  const records = await computeRecords(db(), { kind: 'site', ids: [siteId] }, getRecordDay());
  expect(records.get(String(siteId))?.alive).toEqual({
    '30': null,
    '90': { share: expect.closeTo(6 / 7, 9), links: 7 },
    '365': null,
  });
});

it('keeps the same records by the marks of random changes as by computing all, also with several runs at once', async () => {
  const sellers = await Promise.all([1, 2, 3].map((number) => makeUser('Seller', { name: `Random ${number}` })));
  const ids = sellers.map(({ userId }) => userId);
  const siteIds = await Promise.all(
    sellers.flatMap((seller) => [listSite(seller), listSite(seller, { postType: 'Homepage links' })]),
  );
  const list = (values: readonly (string | number)[]) =>
    sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    );
  // 240 orders of two years, in all states.
  await db().execute(sql`
    with new as (${insertOrders(sql`
      select (array[${list(siteIds)}]::int[])[1 + n % 6] as site_id, now() - random() * interval '730 days' as at
      from generate_series(1, 240) n`)})
    insert into placements (order_id, seller_id, buyer_id, state, seller_cents, margin_cents, turnaround_days,
      answer_due_at, delivery_due_at, delivered_at, approved_at, revisions_used, created_at)
    select id, (select owner_id from sites where id = site_id), account_id,
      (array['offered', 'accepted', 'delivered', 'approved', 'closed', 'lost', 'settled', 'declined', 'taken_over'])[1 + id % 9],
      500, 500, 5, created_at + interval '3 days', created_at + interval '10 days',
      case when id % 9 between 2 and 6 then created_at + random() * interval '15 days' end,
      case when id % 9 between 3 and 5 then created_at + interval '15 days' end, id % 3, created_at from new`);
  await db().execute(sql`
    update placements set answer = 'accepted', answer_role = 'seller', answered_at = created_at + random() * interval '4 days'
    where seller_id in (${list(ids)}) and state not in ('offered', 'declined')`);
  await db().execute(sql`
    insert into link_watches (order_id, buyer_id, seller_id, site_url, page_url, host, target_url, started_at, ended_at, end_reason)
    select order_id, buyer_id, seller_id, 'https://blog.example.com', 'https://blog.example.com/' || order_id, 'blog.example.com', 'https://a.example',
      delivered_at, case when state in ('lost', 'closed') then least(now(), approved_at + random() * interval '300 days') end,
      case state when 'lost' then 'lost' when 'closed' then 'over' end
    from placements where seller_id in (${list(ids)}) and delivered_at is not null`);
  const direct = async () => ({
    sites: await computeRecords(db(), { kind: 'site', ids: siteIds }, getRecordDay()),
    sellers: await computeRecords(db(), { kind: 'seller', ids }, getRecordDay()),
  });
  const stored = async () => {
    const rows = await db().select().from(fulfilmentRecords);
    const by = (key: 'siteId' | 'sellerId', known: readonly unknown[]) =>
      new Map(
        rows
          .filter((row) => known.includes(row[key]))
          .map(({ id: _, siteId, sellerId, day: _day, computedAt: _at, isCopied: _copied, ...record }) => [
            String(siteId ?? sellerId),
            record,
          ]),
      );
    return { sites: by('siteId', siteIds), sellers: by('sellerId', ids) };
  };
  await refreshAll();
  expect(await stored()).toEqual(await direct());
  expect((await stored()).sellers.size).toBe(3);
  for (const change of [
    sql`update placements set state = 'lost' where order_id % 7 = 1 and state = 'approved'`,
    sql`update link_watches set end_reason = 'lost', ended_at = now() where order_id % 5 = 1 and ended_at is null`,
    sql`update orders set deleted_at = now() where id % 11 = 1`,
    sql`update placements set state = 'taken_over' where order_id % 13 = 1`,
  ]) {
    await db().execute(change);
    expect(
      new Map(
        await Promise.all(siteIds.map(async (id) => [String(id), (await getListingRecord(id))?.orders] as const)),
      ),
    ).toEqual(new Map([...(await direct()).sites].map(([id, { orders }]) => [id, orders >= 5 ? orders : undefined])));
    await Promise.all([refreshRecords(), refreshRecords(), refreshRecords()]);
    await refreshAll();
    expect(await stored()).toEqual(await direct());
  }
  // After a restore, which empties the tables, everything is computed again.
  for (const table of [fulfilmentRecords, recordMarks, recordRollup]) await db().delete(table);
  await refreshAll();
  expect(await stored()).toEqual(await direct());
});

type Sorted = Partial<FulfilmentRecord> & { reliability: number | null; name: string };

function sortedValue(sort: (typeof sellerRecordSortKeys)[number], row: Sorted): string | number | null {
  switch (sort) {
    case 'alive30':
      return row.alive?.['30']?.share ?? null;
    case 'alive90':
      return row.alive?.['90']?.share ?? null;
    case 'alive365':
      return row.alive?.['365']?.share ?? null;
    default:
      return row[sort] ?? null;
  }
}

it('lists sellers by each figure, by cursor, with unknown ones last', async () => {
  const page = (query: object) => listSellerRecords(sellerRecordsQuery.parse(query));
  await db().update(users).set({ deletedAt: sql`now()` }).where(sql`role = 'Seller' and name = 'Random 3'`);
  const { total } = await page({ limit: 1 });
  expect(total).toBe(await db().$count(users, sql`role = 'Seller' and deleted_at is null`));
  for (const sort of sellerRecordSortKeys) {
    for (const order of ['asc', 'desc'] as const) {
      const all = await page({ sort, order, limit: 200 });
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const next = await page({ sort, order, limit: 3, ...(cursor && { cursor }) });
        ids.push(...next.rows.map(({ id }) => id));
        cursor = next.next;
      }
      expect(ids).toEqual(all.rows.map(({ id }) => id));
      const values = all.rows.map(({ record, reliability, orders, name }) =>
        sortedValue(sort, { ...record, reliability, orders, name: name.toLowerCase() }),
      );
      const known = values.filter((value) => value !== null);
      const sorted = known.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
      expect(values.slice(0, known.length)).toEqual(order === 'asc' ? sorted : sorted.toReversed());
    }
  }
  expect((await page({ q: 'reliable' })).rows.map(({ name }) => name)).toEqual(['Reliable']);
  expect(sellerRecordsQuery.safeParse({ sort: 'email' }).success).toBe(false);
});
