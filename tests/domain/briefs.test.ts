import { Readable } from 'node:stream';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { briefArticles, orderBriefs, placementEvents, placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { getWalletBalance } from '@/lib/ledger/balance';
import { openArticle, uploadArticle } from '@/lib/orders/briefs/articles';
import { findRoom } from '@/lib/orders/messages/room';
import { getRoomPage } from '@/lib/orders/messages/stream';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { createOrderBody } from '@/lib/orders/order/schemas';
import { getSellerOrder } from '@/lib/orders/order/seller-queries';
import { saveBrief } from '@/lib/orders/order/write-briefs';
import { acceptOffer } from '@/lib/orders/placements/fulfill';
import { parseInput } from '@/lib/platform/http/parse';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const projectUrl = 'https://shop.example.com/spades';
const defaults = {
  targetUrl: projectUrl,
  anchor: '',
  writer: 'seller',
  words: null,
  notes: '',
  notBefore: null,
  rel: 'any',
  articleFileName: null,
};

/** A buyer with money, a project, and sites of one seller. */
async function scene(siteCount = 1) {
  const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
  await fundWallet(buyer.userId, 100_000);
  const projectId = await makeProject(buyer);
  const siteIds: number[] = [];
  for (let count = 0; count < siteCount; count += 1)
    siteIds.push(await makeSite(seller.userId, 2_000, { isFulfilledByStaff: false }));
  /** Orders as POST /api/orders does. */
  const order = async (body: object = {}, key: string | null = null) =>
    createOrder(buyer, parseInput(createOrderBody, { kind: 'custom', projectId, siteIds, ...body }), key);
  return { buyer, seller, projectId, siteIds, order };
}

const upload = async (buyer: Actor, name = 'draft.md') =>
  (await uploadArticle(buyer, Readable.from([Buffer.from('An article')]), name)).id;
const setState = (orderId: number, state: 'accepted' | 'taken_over') =>
  db().update(placements).set({ state }).where(eq(placements.orderId, orderId));

describe('ordering with briefs', () => {
  it('orders Dofollow from a NoFollow site with a warning, also in a repeat', async () => {
    const { order, siteIds } = await scene(3);
    const [strict = 0, loose = 0, own = 0] = siteIds;
    await db()
      .update(sites)
      .set({ followType: 'NoFollow' })
      .where(inArray(sites.id, [strict, loose, own]));
    const body = {
      brief: { rel: 'dofollow' },
      briefs: { [loose]: { rel: 'nofollow' }, [own]: { rel: 'dofollow' } },
    };
    const placed = await order(body, 'warned');
    const message = expect.stringMatching(/^Site #\d+ publishes NoFollow links only/);
    expect(placed.warnings).toEqual([
      { siteId: strict, field: 'brief.rel', message },
      { siteId: own, field: `briefs.${own}.rel`, message },
    ]);
    expect(placed.orders).toHaveLength(3);
    expect((await order(body, 'warned')).warnings).toEqual(placed.warnings);
    expect((await order({ brief: { rel: 'sponsored' } })).warnings).toBeUndefined();
  });

  it('gives every site the common brief, with the exceptions of single sites', async () => {
    const { buyer, siteIds, order } = await scene(3);
    const [first = 0, second = 0, third = 0] = siteIds;
    const articleId = await upload(buyer);
    const { orders: made } = await order({
      brief: { anchor: 'garden spades', rel: 'dofollow', words: 800 },
      briefs: {
        [second]: { anchor: 'rakes', words: null },
        [third]: { targetUrl: 'shop.example.com/rakes', articleId },
      },
    });
    const common = { ...defaults, anchor: 'garden spades', rel: 'dofollow', words: 800 };
    const sites = await db()
      .select({ id: orders.id, siteId: orders.siteId })
      .from(orders)
      .where(eq(orders.accountId, buyer.userId));
    const briefOf = (siteId: number) =>
      made.find(({ id }) => id === sites.find((row) => row.siteId === siteId)?.id)?.brief;
    expect(briefOf(first)).toMatchObject(common);
    expect(briefOf(second)).toMatchObject({ ...common, anchor: 'rakes', words: null });
    expect(briefOf(third)).toMatchObject({
      ...common,
      targetUrl: 'https://shop.example.com/rakes',
      writer: 'buyer',
      articleFileName: 'draft.md',
    });
  });

  it('gives orders without a brief, and packages, one with the defaults', async () => {
    const { buyer, projectId, order } = await scene();
    expect((await order()).orders[0]?.brief).toMatchObject(defaults);
    const [offered] = await db()
      .insert(packages)
      .values({ name: 'Starter', description: '', priceCents: 5_000 })
      .returning();
    const request = { kind: 'package', projectId, packageId: offered?.id, quantity: 1 };
    const buy = (body: object) => createOrder(buyer, createOrderBody.parse({ ...request, ...body }));
    expect((await buy({ brief: { anchor: 'spades' } })).orders[0]?.brief).toMatchObject({
      ...defaults,
      anchor: 'spades',
    });
    await expect(buy({ briefs: { '1': {} } })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { 'briefs.1': 'Site #1 is not part of this order.' } },
    });
  });

  it('refuses an invalid brief before anything is ordered or charged', async () => {
    const { buyer, siteIds, order } = await scene();
    const [siteId = 0] = siteIds;
    for (const [briefs, field] of [
      [{ brief: { words: 5 }, briefs: { [siteId]: { rel: 'none' } } }, 'brief.words'],
      [{ brief: { words: 500 }, briefs: { [siteId]: {}, 999: {} } }, 'briefs.999'],
    ] as const)
      await expect(order(briefs, 'a key')).rejects.toMatchObject({
        code: 'invalid_input',
        details: { fields: { [field]: expect.any(String) } },
      });
    expect(await getWalletBalance(buyer.userId)).toBe(100_000);
    // The key can be used for the corrected order.
    expect((await order({ brief: { words: 500 } }, 'a key')).orders).toHaveLength(1);
  });

  it('answers 404 for an article of another user, and orders nothing', async () => {
    const { buyer, order } = await scene();
    const articleId = await upload(await makeUser());
    await expect(order({ brief: { articleId } })).rejects.toMatchObject({
      code: 'not_found',
      details: { fields: { 'brief.articleId': expect.any(String) } },
    });
    expect(await getWalletBalance(buyer.userId)).toBe(100_000);
  });

  it('keeps an article unused that no brief of the order has', async () => {
    const { buyer, siteIds, order } = await scene();
    const articleId = await upload(buyer);
    await order({ brief: { articleId }, briefs: { [siteIds[0] ?? 0]: { writer: 'seller' } } });
    const [article] = await db().select().from(briefArticles).where(eq(briefArticles.id, articleId));
    expect(article?.attachedAt).toBeNull();
  });

  it('treats another brief with the same key as another order', async () => {
    const { siteIds, order } = await scene();
    const first = await order({ brief: { anchor: 'spades' } }, 'one key');
    expect(await order({ brief: { anchor: 'spades' } }, 'one key')).toEqual(first);
    for (const changed of [
      { brief: { anchor: 'rakes' } },
      {},
      { brief: { anchor: 'spades' }, briefs: { [siteIds[0] ?? 0]: {} } },
    ]) {
      expect((await settle([order(changed, 'one key')])).codes).toEqual(['conflict']);
    }
  });
});

describe('changing a brief', () => {
  it('replaces the whole brief while the order is offered, keeps the article, and is audited', async () => {
    const { buyer, seller, order } = await scene();
    const [made] = (await order({ brief: { anchor: 'spades', notes: 'Be kind.', articleId: await upload(buyer) } }))
      .orders;
    const id = made?.id ?? 0;
    const before = await db().select().from(placements).where(eq(placements.orderId, id));
    const saved = await saveBrief(buyer, id, { anchor: 'rakes', version: 1 });
    expect(saved.brief).toMatchObject({
      ...defaults,
      anchor: 'rakes',
      writer: 'buyer',
      articleFileName: 'draft.md',
      version: 2,
    });
    const [placement] = await db().select().from(placements).where(eq(placements.orderId, id));
    expect(placement?.version).toBe((before[0]?.version ?? 0) + 1);
    const events = await db()
      .select()
      .from(placementEvents)
      .where(eq(placementEvents.orderId, id))
      .orderBy(placementEvents.id);
    expect(events.at(-1)).toMatchObject({ action: 'brief_changed', toState: 'offered', role: 'buyer' });
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(
        and(
          eq(auditLogs.entityType, 'order'),
          eq(auditLogs.entityId, String(id)),
          eq(auditLogs.action, 'placement.brief_changed'),
        ),
      );
    expect(lines).toMatchObject([
      { before: { anchor: 'spades', notes: 'Be kind.' }, after: { anchor: 'rakes', notes: '' } },
    ]);
    // The room lists the change once, by its event.
    const room = await getRoomPage(buyer, await findRoom(buyer, 'buyer', id));
    const steps = room.entries.flatMap((entry) => (entry.type === 'event' ? entry.texts : []));
    expect(steps.filter((text) => /brief/i.test(text))).toEqual(['You changed the brief.']);
    const article = await openArticle((await getSellerOrder(seller, id)).id);
    article.stream.destroy();
    expect(article.fileName).toBe('draft.md');
  });

  it('writes nothing for an unchanged brief, and refuses a stale version', async () => {
    const { buyer, order } = await scene();
    const id = (await order({ brief: { anchor: 'spades' } })).orders[0]?.id ?? 0;
    expect((await saveBrief(buyer, id, { anchor: 'spades' })).brief?.version).toBe(1);
    await saveBrief(buyer, id, { anchor: 'rakes' });
    await expect(saveBrief(buyer, id, { anchor: 'hoes', version: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('replaces and removes the article, which is then unused', async () => {
    const { buyer, order } = await scene();
    const [first, second] = [await upload(buyer, 'first.md'), await upload(buyer, 'second.md')];
    const id = (await order({ brief: { articleId: first } })).orders[0]?.id ?? 0;
    const attachedOf = async (articleId: string) =>
      (await db().select().from(briefArticles).where(eq(briefArticles.id, articleId)))[0]?.attachedAt;
    expect(await attachedOf(first)).toBeInstanceOf(Date);
    expect((await saveBrief(buyer, id, { articleId: second })).brief?.articleFileName).toBe('second.md');
    expect([await attachedOf(first), await attachedOf(second)]).toEqual([null, expect.any(Date)]);
    await expect(saveBrief(buyer, id, { articleId: await upload(await makeUser()) })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await saveBrief(buyer, id, { writer: 'seller' })).brief?.articleFileName).toBeNull();
    expect(await attachedOf(second)).toBeNull();
  });

  it('is refused once the order is accepted, and names the state', async () => {
    const { buyer, order } = await scene();
    const id = (await order()).orders[0]?.id ?? 0;
    await setState(id, 'accepted');
    await expect(saveBrief(buyer, id, { anchor: 'rakes' })).rejects.toMatchObject({
      code: 'conflict',
      message: `Order #${id} is accepted: the brief can be changed only until the order is accepted.`,
    });
    await setState(id, 'taken_over');
    expect((await saveBrief(buyer, id, { anchor: 'rakes' })).brief?.anchor).toBe('rakes');
    await db().update(orders).set({ status: 'Processing' }).where(eq(orders.id, id));
    await expect(saveBrief(buyer, id, { anchor: 'hoes' })).rejects.toMatchObject({
      message: `Order #${id} is Processing: the brief can be changed only until the order is accepted.`,
    });
  });

  it('and an acceptance at once: the seller never accepts another brief than the one shown', async () => {
    const { buyer, seller, order } = await scene();
    for (let round = 0; round < 8; round += 1) {
      const made = (await order({ brief: { anchor: 'spades' } })).orders[0];
      const id = made?.id ?? 0;
      const { values, codes } = await settle<unknown>([
        saveBrief(buyer, id, { anchor: 'rakes' }),
        actAsSeller(seller, id, { version: made?.placement?.version }, (tx, locked) =>
          acceptOffer(tx, seller, locked, { role: 'seller' }),
        ),
      ]);
      expect(values).toHaveLength(1);
      expect(codes).toEqual(['conflict']);
      const [placement] = await db().select().from(placements).where(eq(placements.orderId, id));
      const [brief] = await db().select().from(orderBriefs).where(eq(orderBriefs.orderId, id));
      expect([placement?.state, brief?.anchor]).toEqual(
        placement?.state === 'accepted' ? ['accepted', 'spades'] : ['offered', 'rakes'],
      );
    }
  });

  it('adds a brief to a pending order that has none', async () => {
    const { buyer, id } = await makeOrder(1_000);
    await db().delete(orderBriefs).where(eq(orderBriefs.orderId, id));
    expect((await saveBrief(buyer, id, { anchor: 'rakes', version: 0 })).brief).toMatchObject({
      anchor: 'rakes',
      writer: 'seller',
      version: 1,
    });
  });

  it('answers 404 to every other user', async () => {
    const { seller, order } = await scene();
    const id = (await order()).orders[0]?.id ?? 0;
    for (const other of [seller, await makeUser('Admin'), (await makeOrder(1_000)).buyer]) {
      await expect(saveBrief(other, id, { anchor: 'rakes' })).rejects.toMatchObject({ code: 'not_found' });
    }
    await db().update(orders).set({ deletedAt: sql`now()` }).where(eq(orders.id, id));
    const [owner] = await db().select().from(orders).where(eq(orders.id, id));
    await expect(saveBrief({ ...seller, userId: owner?.accountId ?? '' }, id, {})).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
