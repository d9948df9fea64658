import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { NextRequest } from 'next/server';
import { beforeAll, expect, it, vi } from 'vitest';
import { GET, POST } from '@/app/approve/[token]/route';
import { db } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { auditLogs } from '@/db/schema/audit';
import { notices } from '@/db/schema/notices';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { createReportBody } from '@/lib/orders/client-reports/contract';
import { createReport } from '@/lib/orders/client-reports/reports';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { approveRequest } from '@/lib/orders/requests/approve';
import { answerAsClient } from '@/lib/orders/requests/client-answer';
import { createLinkBody } from '@/lib/orders/requests/client-contract';
import { createLink, revokeLink } from '@/lib/orders/requests/client-link';
import { requestsQuery } from '@/lib/orders/requests/contract';
import { getRequest, listRequests } from '@/lib/orders/requests/queries';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { type Agency, joinAgency, type MadeRequest, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { makeToken } from '@/tests/factories/make-token';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

let agency: Agency;
let buyer: Actor;

beforeAll(async () => {
  agency = await makeAgency(10_000_000);
  buyer = await joinAgency(agency, 'buyer');
});

const share = async (request: MadeRequest, change: object = {}, by = agency.owner) => {
  const { url } = await createLink(by, request.id, createLinkBody.parse(change));
  return url.split('/').at(-1) ?? '';
};
const open = (token: string) =>
  GET(new NextRequest(`http://localhost:3000/approve/${token}`), { params: Promise.resolve({ token }) });
const send = (token: string, body: unknown) => {
  const isForm = typeof body === 'string';
  const headers = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
  const init = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) };
  return POST(new NextRequest(`http://localhost:3000/approve/${token}`, init), { params: Promise.resolve({ token }) });
};
const answerOf = ({ lineIds }: MadeRequest, ...approved: boolean[]) => ({
  lines: lineIds.map((id, index) => ({ id, approved: approved[index] ?? false })),
});
const textOf = async (response: Response) =>
  `${response.status} ${JSON.stringify([...response.headers])}${await response.text()}`;
const readRequest = async (id: string) => {
  const [request] = await db().select().from(orderRequests).where(eq(orderRequests.id, id));
  if (!request) throw new Error(`No request ${id}`);
  const lines = await db()
    .select({ state: orderRequestLines.state, comment: orderRequestLines.comment })
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, id))
    .orderBy(orderRequestLines.position);
  return { ...request, lines };
};
const listOrdered = (siteIds: readonly number[]) =>
  Promise.all(siteIds.map((siteId) => db().$count(orders, eq(orders.siteId, siteId))));
const noticesOf = (user: Actor, kind: 'request.answered' | 'request.declined') =>
  db().$count(notices, and(eq(notices.userId, user.userId), eq(notices.kind, kind)));

it('counts to a client only the requests that wait for the client', async () => {
  const own = await makeAgency(0);
  const [client, requester] = [await joinAgency(own, 'client'), await joinAgency(own, 'buyer')];
  const [request] = [await makeRequest(own, requester, [10_000]), await makeRequest(own, requester, [10_000])];
  const countsOf = async () =>
    Promise.all([client, own.owner].map(async (member) => (await getBuyerLayout(member)).requests));
  expect(await countsOf()).toEqual([0, 2]);
  await share(request, {}, own.owner);
  expect(await countsOf()).toEqual([1, 2]);
  await revokeLink(own.owner, request.id);
  expect(await countsOf()).toEqual([0, 2]);
});

it('shows the briefs of a request to members of its project, but not to Finance, who pays', async () => {
  const request = await makeRequest(agency, buyer, [10_000], { brief: { anchor: 'garden spade' } });
  const lineOf = async (member: Actor) => (await getRequest(member, request.id)).lines[0];
  expect(await lineOf(agency.owner)).toMatchObject({ anchor: 'garden spade', cents: 10_000 });
  expect(await lineOf(await joinAgency(agency, 'finance'))).toMatchObject({
    anchor: null,
    targetUrl: null,
    cents: 10_000,
  });
});

it('orders the ticked lines for the requester, once, and shows the answer afterwards', async () => {
  const brief = { anchor: 'garden spade', targetUrl: 'https://shop.example.com/spade' };
  const request = await makeRequest(agency, buyer, [10_000, 20_000], { brief, site: { dr: 61, traffic: 12_345 } });
  const token = await share(request);
  const stored = await readRequest(request.id);
  expect(stored.linkHash).toBe(createHash('sha256').update(token).digest('hex'));
  expect(JSON.stringify(stored)).not.toContain(token);

  const page = await textOf(await open(token));
  for (const text of ['garden spade', 'shop.example.com/spade', '12,345', 'Stated by the site', agency.name])
    expect(page).toContain(text);
  expect(page).not.toMatch(/\$\d/);

  const [first = '', second = ''] = request.lineIds;
  const form = new URLSearchParams({ [`choice.${first}`]: 'approve', [`comment.${second}`]: 'Too <expensive>' });
  const refused = await textOf(await send(token, form.toString()));
  expect(refused).toMatch(/^422 /);
  expect(refused).toContain('Too &lt;expensive&gt;');
  form.set(`choice.${second}`, 'decline');
  const sent = await send(token, form.toString());
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/approve/${token}`]);

  expect(await listOrdered(request.siteIds)).toEqual([1, 0]);
  const [order] = await db()
    .select()
    .from(orders)
    .where(eq(orders.siteId, request.siteIds[0] ?? 0));
  expect(order).toMatchObject({ accountId: agency.id, orderedBy: buyer.userId });
  expect(await readRequest(request.id)).toMatchObject({
    ...{ state: 'approved', decidedBy: null },
    lines: [
      { state: 'approved', comment: '' },
      { state: 'declined', comment: 'Too <expensive>' },
    ],
  });
  const history = await getTimeline({ id: order?.id ?? 0, accountId: agency.id }, 'buyer', buyer.userId);
  expect(history.flatMap(({ texts }) => texts)).toContain(
    `The client approved through the link that ${agency.owner.name} created`,
  );
  expect(await textOf(await open(token))).toContain('1 of 2 links were approved');
  expect((await send(token, answerOf(request, true, true))).status).toBe(409);
  expect(await listOrdered(request.siteIds)).toEqual([1, 0]);
});

it('declines a request of which nothing is ticked', async () => {
  const request = await makeRequest(agency, buyer, [10_000]);
  const response = await send(await share(request), answerOf(request, false));
  expect(await response.json()).toEqual({ state: 'declined' });
  expect(await readRequest(request.id)).toMatchObject({ state: 'declined', lines: [{ state: 'declined' }] });
  expect(await listOrdered(request.siteIds)).toEqual([0]);
  expect(await noticesOf(buyer, 'request.declined')).toBe(1);
});

it('counts one of several answers at once', async () => {
  const request = await makeRequest(agency, buyer, [10_000, 20_000]);
  const token = await share(request);
  const answers = await Promise.all(
    [answerOf(request, true, false), answerOf(request, false, true), answerOf(request, false, false)].map((answer) =>
      send(token, answer),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  for (const status of statuses) expect([200, 409, 410]).toContain(status);
  expect((await listOrdered(request.siteIds)).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
});

it('refuses an answer that does not name each line once', async () => {
  const request = await makeRequest(agency, buyer, [10_000, 20_000]);
  const token = await share(request);
  const [first = '', second = ''] = request.lineIds;
  const line = (id: string) => ({ id, approved: true });
  for (const lines of [
    [],
    [line(first)],
    [line(first), line('other')],
    [first, second, 'other'].map(line),
    [first, first, second].map(line),
  ])
    expect((await send(token, { lines })).status).toBe(422);
  for (const body of [{}, { lines: 'all' }, { lines: [{ id: first }] }])
    expect((await send(token, body)).status).toBe(400);
  expect(await readRequest(request.id)).toMatchObject({ state: 'open', linkAnsweredAt: null });
});

it('keeps the answer and tells the approvers when it cannot be ordered', async () => {
  const poor = await makeAgency(5_000);
  const member = await joinAgency(poor, 'buyer');
  const request = await makeRequest(poor, member, [10_000, 1_000]);
  const token = await share(request, {}, poor.owner);
  expect(await (await send(token, answerOf(request, true, false))).json()).toEqual({ state: 'kept' });
  expect(await readRequest(request.id)).toMatchObject({
    state: 'open',
    lines: [{ state: 'approved' }, { state: 'declined' }],
  });
  expect(await noticesOf(poor.owner, 'request.answered')).toBe(1);
  const page = await textOf(await open(token));
  expect(page).toContain(`${poor.name} will confirm the order`);
  expect(page).not.toMatch(/balance|insufficient|limit/i);
  expect((await send(token, answerOf(request, true, true))).status).toBe(409);
  await fundWallet(poor.id, 100_000);
  await approveRequest(poor.owner, request.id, {});
  expect(await listOrdered(request.siteIds)).toEqual([1, 0]);
  expect(await textOf(await open(token))).toContain('1 of 2 links were approved');
});

it('shows the client the prices of the link, and orders at no others, however often ours change', async () => {
  const request = await makeRequest(agency, buyer, [10_000]);
  const token = await share(request, { prices: 'markup', markupPercent: 50 });
  const client = await joinAgency(agency, 'client');
  const setPrice = (cents: number) =>
    db()
      .update(sites)
      .set({ publicPriceCents: cents, publicPriceUsdCents: cents })
      .where(eq(sites.id, request.siteIds[0] ?? 0));
  const expectSent = async () => {
    expect(await textOf(await open(token))).toContain('$150.00');
    expect((await getRequest(client, request.id)).totalCents).toBe(15_000);
  };
  await setPrice(20_000);
  // The approver is told, but the client saw another price.
  expect((await settle([approveRequest(agency.owner, request.id, {})])).codes).toEqual(['conflict']);
  await expectSent();
  expect(await (await send(token, answerOf(request, true))).json()).toEqual({ state: 'kept' });
  expect(await listOrdered(request.siteIds)).toEqual([0]);
  await setPrice(30_000);
  expect((await settle([approveRequest(agency.owner, request.id, {})])).codes).toEqual(['conflict']);
  await expectSent();
  await approveRequest(agency.owner, request.id, {});
  expect(await listOrdered(request.siteIds)).toEqual([1]);
  await expectSent();
});

it('takes a comment as long as its field allows, and sends no answer twice', async () => {
  const request = await makeRequest(agency, buyer, [10_000]);
  const token = await share(request);
  const [id = ''] = request.lineIds;
  const comment = `${'x\n'.repeat(499)}xx`;
  const form = new URLSearchParams({
    [`choice.${id}`]: 'approve',
    [`comment.${id}`]: comment.replaceAll('\n', '\r\n'),
  });
  expect((await send(token, form.toString())).status).toBe(303);
  expect(await readRequest(request.id)).toMatchObject({ lines: [{ comment }] });
  // As the back button and a second phone do.
  const again = await textOf(await send(token, form.toString()));
  expect(again).toMatch(/^409 [\s\S]*Your answer was not counted/);
  expect(again).toContain(`href="/approve/${token}"`);
});

it('says how many of a package the client approves', async () => {
  const request = await makeRequest(agency, buyer, [10_000]);
  const values = { name: 'Starter', priceCents: 5_000, isOnSale: true };
  const [bundle] = await db().insert(packages).values(values).returning();
  const body = { kind: 'package', projectId: agency.projectId, packageId: bundle?.id, quantity: 2 };
  await db().update(orderRequests).set({ body }).where(eq(orderRequests.id, request.id));
  await db().update(orderRequestLines).set({ siteId: null }).where(eq(orderRequestLines.requestId, request.id));
  expect(await textOf(await open(await share(request)))).toContain('2 × Starter');
});

it('shows an unexpected error as a page that names nothing of the marketplace', async () => {
  const own = await makeAgency(0);
  const request = await makeRequest(own, own.owner, [10_000]);
  const token = await share(request, {}, own.owner);
  await db().update(orderRequests).set({ body: {} }).where(eq(orderRequests.id, request.id));
  const page = await textOf(await open(token));
  expect(page).toMatch(/^500 .*text\/html[\s\S]*Something went wrong/);
  expect(page).not.toMatch(/marketplace|zod|invalid/i);
});

it('ends a link that was revoked, replaced, has ended, or whose request, account or creator is gone', async () => {
  const gone = async (token: string, request: MadeRequest) => {
    for (const response of [await open(token), await send(token, answerOf(request, true))])
      expect(response.status).toBe(410);
  };
  const revoked = await makeRequest(agency, buyer, [10_000]);
  const first = await share(revoked);
  const second = await share(revoked);
  await gone(first, revoked);
  expect((await open(second)).status).toBe(200);
  await revokeLink(agency.owner, revoked.id);
  await revokeLink(agency.owner, revoked.id);
  await gone(second, revoked);

  const set = async (change: Partial<typeof orderRequests.$inferInsert>) => {
    const request = await makeRequest(agency, buyer, [10_000]);
    const token = await share(request);
    await db().update(orderRequests).set(change).where(eq(orderRequests.id, request.id));
    await gone(token, request);
  };
  await set({ linkExpiresAt: new Date(Date.now() - 1_000) });
  await set({ state: 'declined', decidedAt: new Date() });

  const other = await makeAgency(100_000);
  const manager = await joinAgency(other, 'manager');
  const request = await makeRequest(other, other.owner, [10_000]);
  const token = await share(request, {}, manager);
  expect((await open(token)).status).toBe(200);
  const membership = and(eq(accountMembers.accountId, other.id), eq(accountMembers.userId, manager.userId));
  const client = await joinAgency(other, 'client');
  const readLink = async () => [
    (await getRequest(client, request.id)).mayAnswer,
    (await getRequest(other.owner, request.id)).link?.state,
  ];
  expect(await readLink()).toEqual([true, 'open']);
  await db().update(accountMembers).set({ role: 'buyer' }).where(membership);
  await gone(token, request);
  expect(await readLink()).toEqual([false, 'ended']);
  await db().update(accountMembers).set({ role: 'manager' }).where(membership);
  await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, manager.userId));
  await gone(token, request);
  await db().update(users).set({ status: 'Active' }).where(eq(users.id, manager.userId));
  await db().update(projects).set({ deletedAt: new Date() }).where(eq(projects.id, other.projectId));
  await gone(token, request);
  await db().update(projects).set({ deletedAt: null }).where(eq(projects.id, other.projectId));
  await db().update(accounts).set({ deletedAt: new Date() }).where(eq(accounts.id, other.id));
  await gone(token, request);

  for (const unknown of ['x', 'A'.repeat(22), `${token}x`]) {
    expect((await open(unknown)).status).toBe(404);
    expect((await send(unknown, { lines: [] })).status).toBe(404);
  }
});

it('limits the requests to one link to 30 a minute', async () => {
  const [one, two] = [await makeRequest(agency, buyer, [1_000]), await makeRequest(agency, buyer, [1_000])];
  const [token, other] = [await share(one), await share(two)];
  for (let count = 0; count < 15; count += 1) {
    expect((await open(token)).status).toBe(200);
    expect((await send(token, { lines: [] })).status).toBe(422);
  }
  for (const response of [await open(token), await send(token, answerOf(one, true)), await send(token, 'x=1')]) {
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await open(other)).status).toBe(200);
});

it('lets only who may approve a request send it to the client', async () => {
  const [manager, finance, client] = await Promise.all(
    (['manager', 'finance', 'client'] as const).map((role) => joinAgency(agency, role)),
  );
  if (!manager || !finance || !client) throw new Error('A member is missing.');
  const create = (by: Actor, request: MadeRequest) => settle([createLink(by, request.id, {})]);
  const ofBuyer = await makeRequest(agency, buyer, [1_000]);
  const ofManager = await makeRequest(agency, manager, [1_000]);
  const outsider = (await makeAgency(0)).owner;
  const elsewhere = { ...manager, projectIds: ['another'] };
  for (const by of [agency.owner, manager, finance]) expect((await create(by, ofBuyer)).codes).toEqual([]);
  expect((await create(agency.owner, ofManager)).codes).toEqual([]);
  for (const by of [buyer, client]) expect((await create(by, ofBuyer)).codes).toEqual(['forbidden']);
  expect((await create(manager, ofManager)).codes).toEqual(['forbidden']);
  for (const by of [outsider, elsewhere]) expect((await create(by, ofBuyer)).codes).toEqual(['not_found']);
  const lines = await db()
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'order_request'), eq(auditLogs.entityId, ofBuyer.id)));
  expect(lines.map(({ action }) => action)).toEqual(Array(3).fill('request.link_created'));
});

it('counts what a link can order against the daily limit of the API token that creates it', async () => {
  const limit = { accountId: agency.id, dailyLimitCents: 2_500 };
  const { id } = await makeToken(agency.owner.userId, ['orders:write'], limit);
  const program: Actor = { ...agency.owner, token: { id, name: 'Program', scopes: ['orders:write'] } };
  const [first, second] = [await makeRequest(agency, buyer, [1_000, 1_000]), await makeRequest(agency, buyer, [1_000])];
  await share(first, {}, program);
  expect((await settle([createLink(program, second.id, {})])).codes).toEqual(['forbidden']);
  expect(await readRequest(second.id)).toMatchObject({ linkHash: null });
});

it('takes the prices and the look of the last link or report of the project', async () => {
  const own = await makeAgency(100_000);
  const report = { from: '2026-01-01', to: '2026-01-31', prices: 'fixed', fixedCents: 77_700 };
  const brand = { name: 'Fir & Sons', color: '#2563eb' };
  await createReport(own.owner, own.projectId, createReportBody.parse({ ...report, brand }));
  const request = await makeRequest(own, own.owner, [1_000]);
  const page = await textOf(await open(await share(request, {}, own.owner)));
  expect(page).toContain('$777.00');
  expect(page).toContain('Fir &amp; Sons');
  await share(request, { prices: 'markup', markupPercent: 50 }, own.owner);
  const next = await makeRequest(own, own.owner, [2_000]);
  expect(await textOf(await open(await share(next, {}, own.owner)))).toContain('$30.00');
});

/** An amount as programs and people write it. */
const writeAmount = (cents: number): string[] => {
  const text = (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return [String(cents), (cents / 100).toFixed(2), text, text.replace(/\.00$/, '')];
};

it('shows the agency’s prices and none of the marketplace’s in any answer', async () => {
  const client = await joinAgency(agency, 'client');
  const price = fc.integer({ min: 1_000_001, max: 1_999_999 });
  const prices = fc.oneof(
    fc.constant({ prices: 'none' as const }),
    fc.record({ prices: fc.constant('markup' as const), markupPercent: fc.integer({ min: 101, max: 997 }) }),
    fc.record({ prices: fc.constant('fixed' as const), fixedCents: fc.integer({ min: 3_000_001, max: 9_999_999 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(price, { minLength: 2, maxLength: 3 }),
      prices,
      fc.boolean(),
      async (ours, shown, ticks) => {
        const request = await makeRequest(agency, buyer, ours);
        const token = await share(request, shown);
        const wrong = await send(token, { lines: [] });
        const member = async () =>
          JSON.stringify([
            await getRequest(client, request.id),
            (await listRequests(client, requestsQuery.parse({}))).rows.find(({ id }) => id === request.id),
          ]);
        const texts = [await textOf(await open(token)), await textOf(wrong), await member()];
        texts.push(
          await textOf(await send(token, answerOf(request, ticks))),
          await textOf(await open(token)),
          await member(),
        );
        const ids = [request.id, ...request.lineIds, token];
        const all = ids.reduce((text, id) => text.replaceAll(id, ''), texts.join('\n'));
        const total = ours.reduce((sum, cents) => sum + cents, 0);
        const hidden = [...ours, total, 4_242].flatMap(writeAmount);
        if ('markupPercent' in shown) hidden.push(`${shown.markupPercent}%`, `"markup`);
        for (const secret of hidden) expect(all).not.toContain(secret);
        const theirs =
          'markupPercent' in shown
            ? ours.map((cents) => Math.round((cents * (100 + shown.markupPercent)) / 100))
            : 'fixedCents' in shown
              ? ours.map(() => shown.fixedCents)
              : [];
        for (const cents of theirs)
          expect(texts[0]).toContain((cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }));
        if (theirs.length === 0) expect(texts[0]).not.toMatch(/\$\d/);
      },
    ),
    { numRuns: propertyRuns(8) },
  );
});

it('shows a client in the portal only what was sent, and takes the answer there', async () => {
  const client = await joinAgency(agency, 'client', [agency.projectId]);
  const stranger = await joinAgency(agency, 'client', ['another']);
  const [kept, sent] = [await makeRequest(agency, buyer, [1_000]), await makeRequest(agency, buyer, [1_000, 2_000])];
  const badge = async () => (await getBuyerLayout(client)).requests;
  const before = await badge();
  const token = await share(sent, { prices: 'fixed', fixedCents: 9_900 });
  const told = await db().select({ subject: notices.subject }).from(notices).where(eq(notices.userId, client.userId));
  expect(told).toEqual([{ subject: 'shop.example.com' }]);
  const [mail] = await outboxOf(client.email);
  expect(mail?.text).toContain(`/user/requests/${sent.id}`);
  expect(mail?.text).not.toContain('$');
  const list = async (by: Actor) => (await listRequests(by, requestsQuery.parse({}))).rows.map(({ id }) => id);
  expect(await list(client)).toContain(sent.id);
  expect(await list(client)).not.toContain(kept.id);
  expect(await badge()).toBe(before + 1);
  expect(await list(stranger)).toEqual([]);
  const views = await settle([getRequest(client, kept.id), getRequest(stranger, sent.id)]);
  expect(views.codes).toEqual(['not_found', 'not_found']);
  const [first = '', second = ''] = sent.lineIds;
  expect((await settle([answerAsClient(client, kept.id, {})])).codes).toEqual(['not_found']);
  expect((await settle([answerAsClient(client, sent.id, { lineIds: kept.lineIds })])).codes).toEqual(['unprocessable']);
  expect(await answerAsClient(client, sent.id, { lineIds: [first], comments: { [second]: 'No' } })).toMatchObject({
    ...{ state: 'approved', mayAnswer: false, totalCents: 19_800, reasons: [], link: null },
    lines: [
      { state: 'approved', cents: 9_900 },
      { state: 'declined', comment: 'No' },
    ],
  });
  expect(await readRequest(sent.id)).toMatchObject({ decidedBy: client.userId });
  expect(await badge()).toBe(before);
  expect((await send(token, answerOf(sent, true, true))).status).toBe(409);
});
