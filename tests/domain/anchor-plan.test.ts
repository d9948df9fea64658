import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { GET as next } from '@/app/api/user/projects/[id]/anchor-plan/next/route';
import { GET, PUT } from '@/app/api/user/projects/[id]/anchor-plan/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { cartItems, carts } from '@/db/schema/carts';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { projectAnchors } from '@/db/schema/project-domains';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { anchorPlanResponse, proposedAnchorsResponse } from '@/lib/projects/anchors/contract';
import { deleteProject } from '@/lib/projects/projects';
import { defaultAnchorPlan, saveDefaultAnchorPlan } from '@/lib/settings/anchor-plan';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { bearerOf } from '@/tests/setup/bearer-of';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const none = { brand: 0, address: 0, generic: 0, partial: 0, exact: 0, image: 0, none: 0 };
const kind = (name: keyof typeof none, links = 1) => ({ ...none, [name]: links });

/** A buyer with a project, and the requests about its anchor plan. */
async function openPlan(change: Parameters<typeof makeProject>[1] = {}) {
  const owner = await makeUser();
  const id = await makeProject(owner, change);
  const send = async (handler: typeof GET, caller: Actor, options: object = {}, path = 'anchor-plan') => {
    const url = `http://localhost:3000/api/user/projects/${id}/${path}`;
    const answer = await callHandler(handler, url, {
      ...{ headers: await bearerOf(caller.userId), params: { id }, ...options },
    });
    return { status: answer.status, body: answer.body };
  };
  return {
    ...{ owner, id },
    read: async () => anchorPlanResponse.parse((await send(GET, owner)).body),
    save: (body: unknown, caller = owner) => send(PUT, caller, { method: 'PUT', body }),
    propose: async (count = 1) =>
      proposedAnchorsResponse.parse((await send(next, owner, {}, `anchor-plan/next?count=${count}`)).body).anchors,
    statusFor: async (caller: Actor) => [
      (await send(GET, caller)).status,
      (await send(next, caller, {}, 'anchor-plan/next')).status,
      (await send(PUT, caller, { method: 'PUT', body: { plan: defaultAnchorPlan, brandWords: [], pool: [] } })).status,
    ],
  };
}

describe('the anchor plan of a project', () => {
  it('is the operator’s until the owner saves another, and is checked as a whole', async () => {
    const { id, read, save } = await openPlan();
    expect(await read()).toEqual({
      ...{ plan: defaultAnchorPlan, brandWords: [], pool: [], version: 0 },
      actual: { all: none, days90: none },
    });
    const ofStaff = { ...defaultAnchorPlan, brand: 40, exact: 10 };
    await saveDefaultAnchorPlan(await makeUser('Admin'), { plan: ofStaff, version: 0 });
    expect(await read()).toMatchObject({ plan: ofStaff, version: 0 });

    const plan = { ...defaultAnchorPlan, brand: 42, none: 3 };
    const pool = [
      { text: ' Spade & Co ' },
      { text: 'best spades' },
      { text: 'Spade & Co' },
      { text: 'here', kind: 'generic' },
    ];
    const stored = {
      ...{ plan, brandWords: ['Spade & Co'], version: 1 },
      pool: [
        { text: 'Spade & Co', kind: 'brand' },
        { text: 'best spades', kind: 'generic' },
        { text: 'here', kind: 'generic' },
      ],
    };
    expect(await save({ plan, brandWords: ['Spade & Co'], pool, version: 0 })).toMatchObject({
      status: 200,
      body: stored,
    });
    expect(await read()).toMatchObject(stored);
    // The same plan again is no change; an old version is refused; without a version it is replaced.
    expect(await save({ plan, brandWords: ['Spade & Co'], pool, version: 1 })).toMatchObject({ body: { version: 1 } });
    expect(await save({ plan, brandWords: [], pool: [], version: 0 })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('shop.example.com was changed elsewhere') },
    });
    expect(await save({ plan, brandWords: [], pool: [] })).toMatchObject({
      status: 200,
      body: { version: 2, pool: [] },
    });

    const given = { plan, brandWords: [], pool: [] };
    for (const [body, field, message] of [
      [{ ...given, plan: { ...plan, brand: 41 } }, 'plan', 'The percentages add up to 99. They must add up to 100.'],
      [{ ...given, plan: { ...plan, brand: 41.5 } }, 'plan.brand', 'Enter a whole number from 0 to 100.'],
      [{ ...given, brandWords: [' '] }, 'brandWords.0', 'Enter a brand word.'],
      [
        { ...given, pool: [{ text: '' }] },
        'pool.0.text',
        'Enter a text. Links of an image and links without text need none.',
      ],
      [{ ...given, pool: [{ text: 'x'.repeat(201) }] }, 'pool.0.text', 'Use at most 200 characters.'],
      [{ ...given, pool: [{ text: 'a\nb' }] }, 'pool.0.text', 'Enter the text on one line.'],
      [
        { ...given, pool: [{ text: 'here', kind: 'brand' }] },
        'pool.0.kind',
        expect.stringMatching(/“here” is generic, not brand\./),
      ],
    ] as const) {
      expect(await save(body)).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
    }
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id)).orderBy(auditLogs.id);
    expect(lines.map(({ action }) => action)).toEqual(['anchor_plan.saved', 'anchor_plan.saved']);
    expect(lines[0]).toMatchObject({ before: { plan: ofStaff, texts: 0 }, after: { plan, texts: 3 } });
    // The last line: the default of other tests.
    await saveDefaultAnchorPlan(await makeUser('Admin'), { plan: defaultAnchorPlan, version: 1 });
  });

  it('is saved once by two at the same time, and only by the owner of the project', async () => {
    const { owner, id, read, save, statusFor } = await openPlan();
    const edit = { plan: defaultAnchorPlan, pool: [], version: 0 };
    const results = await Promise.all(['One', 'Two', 'Three'].map((word) => save({ ...edit, brandWords: [word] })));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await read()).version).toBe(1);
    for (const role of ['User', 'Admin'] as const)
      expect(await statusFor(await makeUser(role))).toEqual([404, 404, 404]);
    await deleteProject(owner, id);
    expect(await statusFor(owner)).toEqual([404, 404, 404]);
  });
});

it('counts running and delivered orders with the published text, and imported links of the tool that knows most', async () => {
  const { owner, id, read } = await openPlan();
  await fundWallet(owner.userId, 100_000);
  const seller = await makeUser('Seller');
  const admin = await makeUser('Admin');
  const order = async (anchor: string) => {
    const siteIds = [await makeSite(seller.userId, 1_000)];
    const { orders: made } = await createOrder(owner, { kind: 'custom', projectId: id, siteIds, brief: { anchor } });
    return made[0]?.id ?? 0;
  };
  const [running, published, refunded, lost] = [
    ...[await order('spade'), await order('rake'), await order('hoe'), await order('spade')],
  ];
  await order('');
  expect((await read()).actual.all).toEqual({ ...kind('exact', 4), none: 1 });
  await updateOrder(admin, refunded ?? 0, { status: 'Refunded' });
  for (const orderId of [published ?? 0, lost ?? 0]) {
    await updateOrder(admin, orderId, { linkUrl: `https://news.example.com/${orderId}` });
  }
  await makeLinkCheck(published ?? 0, { anchor: 'read more' });
  await makeLinkCheck(published ?? 0, { anchor: '', found: false, verdict: 'broken' });
  await db()
    .update(linkWatches)
    .set({ endReason: 'lost' })
    .where(eq(linkWatches.orderId, lost ?? 0));
  expect((await read()).actual.all).toEqual({ ...kind('exact'), generic: 1, none: 1 });
  await db()
    .update(orders)
    .set({ createdAt: sql`now() - interval '91 days'` })
    .where(eq(orders.id, running ?? 0));
  expect((await read()).actual.days90).toEqual({ ...kind('generic'), none: 1 });

  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const row = { projectId: id, source: 'ahrefs', isImage: false, firstSeenOn: day(3), links: 5 } as const;
  await db()
    .insert(projectAnchors)
    .values([
      { ...row, anchor: 'shop.example.com' },
      { ...row, anchor: 'shop.example.com', firstSeenOn: day(200), links: 4 },
      { ...row, anchor: 'shop.example.com', source: 'semrush', firstSeenOn: null, links: 7 },
      { ...row, anchor: 'Spade', links: 2 },
      { ...row, anchor: 'a logo', isImage: true, firstSeenOn: null, links: 3 },
      { ...row, projectId: await makeProject(owner), anchor: 'rake', links: 90 },
    ]);
  expect((await read()).actual).toEqual({
    all: { ...none, exact: 3, generic: 1, none: 1, address: 9, image: 3 },
    days90: { ...none, exact: 2, generic: 1, none: 1, address: 5 },
  });
});

it('proposes what is furthest below the plan, with the briefs in the cart counted', async () => {
  const { owner, id, save, propose } = await openPlan();
  // Without a pool: the name in the domain, the domain and the target URL, and the keywords.
  expect(await propose(3)).toEqual([
    { text: 'Shop', kind: 'brand' },
    { text: 'shop.example.com', kind: 'address' },
    { text: 'Shop', kind: 'brand' },
  ]);
  await save({
    ...{ plan: { ...none, brand: 50, generic: 50 }, brandWords: ['Spade & Co'] },
    pool: ['Spade & Co', 'here', 'this page'].map((text) => ({ text })),
  });
  const texts = async (count: number) => (await propose(count)).map(({ text }) => text);
  expect(await texts(5)).toEqual(['Spade & Co', 'here', 'Spade & Co', 'this page', 'Spade & Co']);
  expect(await texts(5)).toEqual(await texts(5));
  const cartId = newId();
  await db().insert(carts).values({ id: cartId, accountId: owner.userId, projectId: id, name: 'A cart' });
  const seller = await makeUser('Seller');
  const item = async (position: number, brief: Record<string, string>) => ({
    ...{ cartId, siteId: await makeSite(seller.userId, 1_000), position, brief, shownPriceCents: 1_000 },
  });
  await db()
    .insert(cartItems)
    .values([
      await item(0, { anchor: 'Spade & Co' }),
      await item(1, { anchor: ' here ' }),
      await item(2, { words: '800' }),
    ]);
  // "here" is used once now.
  expect(await texts(2)).toEqual(['Spade & Co', 'this page']);
});
