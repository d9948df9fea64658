import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { briefArticles } from '@/db/schema/placements';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { removeMember } from '@/lib/accounts/remove-member';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { approveRequest } from '@/lib/orders/requests/approve';
import { requestsQuery } from '@/lib/orders/requests/contract';
import { declineRequest } from '@/lib/orders/requests/decline';
import { expireRequests } from '@/lib/orders/requests/expire';
import { getRequest, listRequests } from '@/lib/orders/requests/queries';
import { saveBudget, savePolicy } from '@/lib/orders/requests/save-limits';
import { previewSpend } from '@/lib/orders/spending/preview';
import { requireWithinLimits } from '@/lib/orders/spending/require-spend';
import { deleteProject } from '@/lib/projects/projects';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { listNotices } from '@/tests/setup/list-notices';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';
import { getSpentThisMonth } from '@/tests/setup/spent-this-month';

keepSoundBooks();

let team: Awaited<ReturnType<typeof makeTeam>>;
let projectId: string;
let siteIds: number[];

beforeEach(async () => {
  team = await makeTeam();
  const seller = await makeUser('Seller');
  projectId = await makeProject(team.members.owner);
  siteIds = await Promise.all([1_000, 1_000, 1_000, 1_000].map((cents) => makeSite(seller.userId, cents)));
  await fundWallet(team.accountId, 50_000);
});

const isMember = ({ userId }: Actor) =>
  and(eq(accountMembers.accountId, team.accountId), eq(accountMembers.userId, userId));
const setLimit = (member: Actor, monthlyLimitCents: number | null) =>
  db().update(accountMembers).set({ monthlyLimitCents }).where(isMember(member));
const leave = (member: Actor) => db().delete(accountMembers).where(isMember(member));
const order = (actor: Actor, sitesOrdered = siteIds.slice(0, 1), key: string | null = null) =>
  createOrder(actor, { kind: 'custom', projectId, siteIds: sitesOrdered }, key);
const countOrders = () => db().$count(orders, eq(orders.accountId, team.accountId));
const hold = async (actor: Actor, ids = siteIds.slice(0, 2)) => {
  const { requestId, orders: placed } = await order(actor, ids);
  expect(placed).toEqual([]);
  return requestId ?? expect.fail('The order was not held.');
};

describe('orders at once', () => {
  it('never pass the limit of a member together', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 2_500);
    const { values } = await settle(Array.from({ length: 6 }, () => order(buyer)));
    expect(values.filter(({ requestId }) => requestId === undefined)).toHaveLength(2);
    expect(await getSpentThisMonth(team.accountId, { memberId: buyer.userId })).toBe(2_000);
    expect((await listRequests(owner, requestsQuery.parse({ state: 'open' }))).total).toBe(4);
    expect(await getWalletBalance(team.accountId)).toBe(48_000);
  });

  it('never pass the budget of a project together, for any member', async () => {
    const { buyer, manager, owner } = team.members;
    await saveBudget(owner, projectId, { monthlyCents: 3_000 });
    const { values } = await settle([buyer, manager, owner, buyer, manager, owner].map((actor) => order(actor)));
    expect(values.filter(({ requestId }) => requestId === undefined)).toHaveLength(3);
    expect(await getSpentThisMonth(team.accountId, { projectId })).toBe(3_000);
  });

  it('are refused to who leaves meanwhile, together with the limit', async () => {
    const { buyer } = team.members;
    await setLimit(buyer, 500);
    await removeMember(buyer, { accountId: team.accountId, userId: buyer.userId });
    await expect(order(buyer)).rejects.toMatchObject({ code: 'not_found' });
    expect(await countOrders()).toBe(0);
    // A paid change of an earlier order.
    const earlier = { accountId: team.accountId, orderedBy: buyer.userId, projectId };
    const pay = db().transaction((tx) => requireWithinLimits(tx, buyer, earlier, 10_000));
    await expect(pay).rejects.toMatchObject({ code: 'not_found' });
  });

  it('meet a limit that is set meanwhile, or come before it', async () => {
    const { buyer, owner } = team.members;
    const placed = Array.from({ length: 8 }, () => order(buyer));
    const [{ values }] = await Promise.all([
      settle(placed),
      savePolicy(owner, team.accountId, { approvalAboveCents: 500 }),
    ]);
    const held = values.filter(({ requestId }) => requestId !== undefined).length;
    expect(values).toHaveLength(8);
    expect(await countOrders()).toBe(8 - held);
    expect((await order(buyer)).requestId).toBeDefined();
  });

  it('lose no limit with the membership, which ended since the request was authenticated', async () => {
    const { buyer } = team.members;
    await setLimit(buyer, 0);
    await leave(buyer);
    await expect(order(buyer)).rejects.toMatchObject({ code: 'not_found' });
    expect(await countOrders()).toBe(0);
  });
});

describe('a payment for an existing order', () => {
  it('counts for who ordered, and tells no one else the limit of this member', async () => {
    const { buyer, manager } = team.members;
    await setLimit(buyer, 1_000);
    const pay = (payer: Actor, { userId: orderedBy }: Actor, cents: number) =>
      db().transaction((tx) =>
        requireWithinLimits(tx, payer, { accountId: team.accountId, orderedBy, projectId }, cents),
      );
    await pay(manager, buyer, 1_000);
    await expect(pay(buyer, buyer, 1_001)).rejects.toMatchObject({ message: expect.stringContaining('$10.00') });
    await expect(pay(manager, buyer, 1_001)).rejects.toMatchObject({ message: expect.not.stringContaining('$') });
    await expect(pay(buyer, manager, 1)).rejects.toMatchObject({ code: 'forbidden' });
    await leave(buyer);
    await pay(manager, buyer, 1_001);
    await expect(pay(buyer, manager, 1)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a month', () => {
  it('counts what was charged less what returned, with an approved request, without a held one', async () => {
    const { buyer, owner } = team.members;
    const admin = await makeUser('Admin');
    await setLimit(buyer, 2_000);
    const { orders: first } = await order(buyer, siteIds.slice(0, 2));
    const requestId = await hold(buyer, siteIds.slice(2, 3));
    expect(await getSpentThisMonth(team.accountId, { memberId: buyer.userId })).toBe(2_000);
    await updateOrder(admin, first[0]?.id ?? 0, { status: 'Refunded' });
    expect(await getSpentThisMonth(team.accountId, { memberId: buyer.userId })).toBe(1_000);
    expect((await order(buyer, siteIds.slice(3))).requestId).toBeUndefined();
    await approveRequest(owner, requestId, {});
    expect(await getSpentThisMonth(team.accountId, { memberId: buyer.userId })).toBe(3_000);
  });
});

describe('a request', () => {
  it('charges nothing, is made once for a key, and is shown with its reasons', async () => {
    const { buyer, manager, finance, client } = team.members;
    await setLimit(buyer, 500);
    const first = await order(buyer, siteIds.slice(0, 2), 'key-1');
    const repeat = await order(buyer, siteIds.slice(0, 2), 'key-1');
    expect(repeat.requestId).toBe(first.requestId);
    await expect(order(buyer, siteIds.slice(0, 1), 'key-1')).rejects.toMatchObject({ code: 'conflict' });
    expect(await db().$count(orderRequests, eq(orderRequests.accountId, team.accountId))).toBe(1);
    expect(await getWalletBalance(team.accountId)).toBe(50_000);
    const id = first.requestId ?? '';
    expect(await getRequest(manager, id)).toMatchObject({
      ...{ state: 'open', totalCents: 2_000, mayAnswer: true, requestedBy: { id: buyer.userId } },
      reasons: [{ code: 'member_limit', limitCents: 500, spentCents: 0 }],
      lines: siteIds.slice(0, 2).map((siteId) => ({ siteId, cents: 1_000, state: 'open' })),
    });
    expect(await getRequest(buyer, id)).toMatchObject({ mayAnswer: false });
    const brief = { targetUrl: expect.any(String), anchor: '' };
    expect(await getRequest(buyer, id)).toMatchObject({ lines: [brief, brief] });
    const noBrief = { targetUrl: null, anchor: null, cents: 1_000 };
    expect(await getRequest(finance, id)).toMatchObject({ mayAnswer: true, lines: [noBrief, noBrief] });
    await expect(getRequest(client, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getRequest(await makeUser(), id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listNotices(manager.userId)).toEqual(['request.opened']);
    const [mail] = await outboxOf(manager.email);
    expect(mail?.text).toContain(`/user/requests/${id}`);
    expect(await listNotices(buyer.userId)).toEqual([]);
  });

  it('is made once for a key of the account, and answers it to members who see the project', async () => {
    const { manager } = team.members;
    const { orders: placed } = await order(manager, siteIds.slice(0, 1), 'key-2');
    const other = await joinTeam(await makeUser(), team, 'buyer', { projectIds: [] });
    await expect(order(other, siteIds.slice(0, 1), 'key-2')).rejects.toMatchObject({ code: 'not_found' });
    expect((await order(team.members.buyer, siteIds.slice(0, 1), 'key-2')).orders).toEqual(placed);
  });

  it('tells a requester who is a client now nothing of what the agency pays', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 0);
    const id = await hold(buyer);
    await db().update(accountMembers).set({ role: 'client' }).where(isMember(buyer));
    await declineRequest(owner, id, {});
    expect(await listNotices(buyer.userId)).toEqual([]);
    expect(await outboxOf(buyer.email)).toEqual([]);
  });

  it('is approved by the owner, and by managers and Finance for others', async () => {
    const { buyer, manager, finance, owner } = team.members;
    await savePolicy(owner, team.accountId, { approvalAboveCents: 0 });
    const own = await hold(manager);
    await expect(approveRequest(manager, own, {})).rejects.toMatchObject({ code: 'forbidden' });
    await expect(approveRequest(buyer, own, {})).rejects.toMatchObject({ code: 'forbidden' });
    expect(await approveRequest(finance, own, {})).toMatchObject({ state: 'approved' });
    expect(await approveRequest(manager, await hold(buyer), {})).toMatchObject({ state: 'approved' });
    expect(await approveRequest(owner, await hold(owner), {})).toMatchObject({ state: 'approved' });
    const others = await joinTeam(await makeUser(), team, 'manager', { projectIds: [] });
    await expect(approveRequest(others, await hold(buyer), {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('orders the selected lines for the requester once, and keeps who approved it', async () => {
    const { buyer, manager, owner } = team.members;
    await setLimit(buyer, 0);
    const id = await hold(buyer, siteIds.slice(0, 3));
    const lines = (await getRequest(owner, id)).lines;
    const lineIds = lines.slice(0, 2).map((line) => line.id);
    const { values, codes } = await settle([
      approveRequest(owner, id, { lineIds }),
      approveRequest(manager, id, { lineIds }),
    ]);
    expect([values.length, codes]).toEqual([1, ['conflict']]);
    const [done] = values;
    expect(done).toMatchObject({ state: 'approved', totalCents: 2_000 });
    expect(done?.lines.map(({ state }) => state)).toEqual(['approved', 'approved', 'declined']);
    const placed = await db().select().from(orders).where(eq(orders.accountId, team.accountId));
    expect(placed.map(({ orderedBy, siteId }) => [orderedBy, siteId])).toEqual(
      expect.arrayContaining(siteIds.slice(0, 2).map((siteId) => [buyer.userId, siteId])),
    );
    const [entry] = await getTimeline(placed[0] ?? expect.fail(), 'buyer', buyer.userId);
    expect(entry).toMatchObject({ role: 'buyer', userId: done?.decidedBy?.id });
    expect(entry?.texts).toContain(`Requested by ${buyer.name}, approved by ${entry?.by}`);
    expect(await listNotices(buyer.userId)).toContain('request.approved');
  });

  it('asks again when the price differs, and stays open without money', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 0);
    const id = await hold(buyer);
    const setPrice = (index: number, cents: number) =>
      db()
        .update(sites)
        .set({ publicPriceCents: cents, publicPriceUsdCents: cents })
        .where(eq(sites.id, siteIds[index] ?? 0));
    await setPrice(0, 1_200);
    await expect(approveRequest(owner, id, { shownTotalCents: 2_000 })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('$22.00'),
    });
    expect(await getRequest(owner, id)).toMatchObject({
      state: 'open',
      totalCents: 2_200,
      lines: [{ cents: 1_200 }, { cents: 1_000 }],
    });
    await expect(approveRequest(owner, id, { shownTotalCents: 2_000 })).rejects.toMatchObject({ code: 'conflict' });
    expect(await countOrders()).toBe(0);
    const poor = await makeTeam();
    await savePolicy(poor.members.owner, poor.accountId, { approvalAboveCents: 0 });
    const poorProject = await makeProject(poor.members.owner);
    const { requestId = '' } = await createOrder(poor.members.buyer, {
      kind: 'custom',
      projectId: poorProject,
      siteIds,
    });
    await expect(approveRequest(poor.members.owner, requestId, {})).rejects.toMatchObject({
      code: 'insufficient_funds',
    });
    expect(await getRequest(poor.members.owner, requestId)).toMatchObject({ state: 'open' });
    // The same total of other prices.
    await Promise.all([setPrice(0, 1_000), setPrice(1, 1_200)]);
    const approve = () => approveRequest(owner, id, { shownTotalCents: 2_200 });
    await expect(approve()).rejects.toMatchObject({ code: 'conflict' });
    const charged = { state: 'approved', lines: [{ cents: 1_000 }, { cents: 1_200 }] };
    expect(await approve()).toMatchObject({ ...charged, totalCents: 2_200 });
  });

  it('of a removed member can be approved, and the requester can withdraw it', async () => {
    const { buyer, owner, manager } = team.members;
    await setLimit(buyer, 0);
    const [kept, withdrawn] = [await hold(buyer), await hold(buyer)];
    expect(await declineRequest(buyer, withdrawn, {})).toMatchObject({
      state: 'declined',
      decidedBy: { id: buyer.userId },
    });
    await leave(buyer);
    expect(await approveRequest(manager, kept, {})).toMatchObject({ state: 'approved' });
    await expect(declineRequest(owner, kept, {})).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps the articles of its briefs until no open request and no order names them', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 0);
    const articleId = newId();
    const file = { fileName: 'a.txt', mediaType: 'text/plain', sizeBytes: 1, sha256: '' };
    await db()
      .insert(briefArticles)
      .values({ id: articleId, accountId: team.accountId, uploadedBy: buyer.userId, storageKey: articleId, ...file });
    const isKept = async () =>
      (await db().select().from(briefArticles).where(eq(briefArticles.id, articleId)))[0]?.attachedAt !== null;
    const request = async () => {
      const brief = { articleId };
      const input = { kind: 'custom' as const, projectId, siteIds: siteIds.slice(0, 1), brief };
      return (await createOrder(buyer, input)).requestId ?? '';
    };
    const [first, second] = [await request(), await request()];
    await declineRequest(owner, first, {});
    expect(await isKept()).toBe(true);
    await declineRequest(owner, second, {});
    expect(await isKept()).toBe(false);
    await approveRequest(owner, await request(), {});
    expect(await isKept()).toBe(true);
  });

  it('is one of at most 200 of a member in a day, which each notify the approvers', async () => {
    const { buyer, manager } = team.members;
    await setLimit(buyer, 0);
    const closed = { state: 'declined' as const, decidedAt: new Date() };
    const request = {
      accountId: team.accountId,
      projectId,
      requestedBy: buyer.userId,
      body: {},
      reasons: [],
      ...closed,
    };
    await db()
      .insert(orderRequests)
      .values(Array.from({ length: 199 }, () => ({ id: newId(), ...request, totalCents: 1, expiresAt: new Date() })));
    await hold(buyer);
    await expect(order(buyer)).rejects.toMatchObject({ code: 'conflict' });
    await savePolicy(team.members.owner, team.accountId, { approvalAboveCents: 0 });
    await hold(manager);
  });

  it('ends with its project, also when it is made while the project is deleted', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 0);
    const id = await hold(buyer);
    let late: Promise<unknown> = Promise.resolve();
    await db().transaction(async (tx) => {
      // The order was planned for the project, and waits here.
      await lockAccount(tx, team.accountId);
      late = order(buyer).catch((thrown: unknown) => thrown);
      await expect
        .poll(() =>
          db().execute(sql`select from pg_locks where not granted and locktype in ('tuple', 'transactionid')`),
        )
        .not.toEqual([]);
      await deleteProject(owner, projectId);
    });
    expect(await late).toMatchObject({ code: 'not_found' });
    await expireRequests();
    expect((await listRequests(owner, requestsQuery.parse({ state: 'open' }))).total).toBe(0);
    expect(await getRequest(owner, id)).toMatchObject({ state: 'expired', decidedBy: null });
    const mailed = await outboxOf(buyer.email);
    expect(mailed.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/: Your order for shop.example.com ended with its project, which was deleted$/),
    ]);
  });

  it('ends after 14 days', async () => {
    const { buyer, owner } = team.members;
    await setLimit(buyer, 0);
    const id = await hold(buyer);
    const { expiresAt, createdAt } = await getRequest(owner, id);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(14 * 86_400_000);
    await db()
      .update(orderRequests)
      .set({ expiresAt: new Date(0) })
      .where(eq(orderRequests.id, id));
    await expect(approveRequest(owner, id, {})).rejects.toMatchObject({ code: 'conflict' });
    await expireRequests();
    expect(await getRequest(owner, id)).toMatchObject({ state: 'expired', decidedBy: null });
    expect(await listNotices(buyer.userId)).toContain('request.expired');
    expect(
      await db().$count(
        orderRequestLines,
        and(eq(orderRequestLines.requestId, id), eq(orderRequestLines.state, 'declined')),
      ),
    ).toBe(2);
  });
});

describe('the policy', () => {
  it('refuses a site for everybody, with the site as the field, also at the approval', async () => {
    const { buyer, owner } = team.members;
    await savePolicy(owner, team.accountId, { approvalAboveCents: 0 });
    const id = await hold(buyer);
    await savePolicy(owner, team.accountId, { minDr: 30, minTraffic: 0, rel: 'any' });
    const [policy] = await db().select().from(accounts).where(eq(accounts.id, team.accountId));
    expect(policy?.policy).toEqual({ minDr: 30 });
    for (const attempt of [() => order(buyer), () => order(owner), () => approveRequest(owner, id, {})])
      await expect(attempt()).rejects.toMatchObject({
        code: 'policy',
        details: { fields: { [String(siteIds[0])]: expect.stringContaining('unknown') } },
      });
    expect(await countOrders()).toBe(0);
  });

  it('is previewed as the order meets it', async () => {
    const { buyer, owner } = team.members;
    const items = [{ siteId: siteIds[0] ?? 0, rel: 'any' as const }];
    const preview = () => previewSpend(buyer, { projectId, totalCents: 1_000, items });
    expect(await preview()).toEqual({ decision: 'allowed' });
    await savePolicy(owner, team.accountId, { approvalAboveCents: 900 });
    expect(await preview()).toMatchObject({ decision: 'needs_approval' });
    await savePolicy(owner, team.accountId, { minTraffic: 1 });
    expect(await preview()).toMatchObject({ decision: 'refused' });
  });

  it('and budgets are set by owners only', async () => {
    const { manager } = team.members;
    await expect(savePolicy(manager, team.accountId, {})).rejects.toMatchObject({ code: 'forbidden' });
    await expect(savePolicy(await makeUser(), team.accountId, {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(saveBudget(await makeUser(), projectId, { monthlyCents: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await db().$count(projects, and(eq(projects.id, projectId), eq(projects.monthlyBudgetCents, 1)))).toBe(0);
  });
});
