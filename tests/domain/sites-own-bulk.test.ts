import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { notices } from '@/db/schema/notices';
import { orders } from '@/db/schema/orders';
import { exchangeRates } from '@/db/schema/settings';
import { commissionRules, sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { orderCart } from '@/lib/orders/carts/order';
import { getCart, openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { createOrder } from '@/lib/orders/order/create';
import { bulkSites } from '@/lib/sites/bulk';
import { findListedSite, getListedSite } from '@/lib/sites/catalogue/listed-sites';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { listManagedSites } from '@/lib/sites/managed-queries';
import { changeOwnSites } from '@/lib/sites/own-bulk/change';
import { resumeSites } from '@/lib/sites/own-bulk/resume';
import { ownBulkBody } from '@/lib/sites/own-bulk/schemas';
import { getSellerStats, listSellerSites } from '@/lib/sites/seller-queries';
import { updateOwnSite } from '@/lib/sites/update';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { accept } from '@/tests/setup/placement-verbs';

let seller: Actor;
beforeAll(() => db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 2_000_000 }));
beforeEach(async () => {
  seller = await makeUser('Seller');
  await db().delete(commissionRules);
});

const apply = (input: z.input<typeof ownBulkBody>, actor = seller) => changeOwnSites(actor, ownBulkBody.parse(input));
const rule = (currency: 'USD' | 'EUR' | null) =>
  db().insert(commissionRules).values({ id: newId(), currency, marginBasisPoints: 2_500, minimumCents: 100 });
const siteRow = async (id: number) => {
  const [site] = await db().select().from(sites).where(eq(sites.id, id));
  if (!site) throw new Error('There is no such site.');
  return site;
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('a bulk change of a seller', () => {
  it('does to each site what the same edit of it alone does', async () => {
    await rule('USD');
    const state = fc.record({
      status: fc.constantFrom('Approved' as const, 'Pending' as const, 'Rejected' as const),
      publicCurrency: fc.constantFrom('USD' as const, 'EUR' as const),
      sellerPriceCents: fc.integer({ min: 1, max: 50_000 }),
      isPriced: fc.boolean(),
      isPaused: fc.boolean(),
    });
    const change = fc.record(
      {
        price: fc.oneof(
          fc.record({ percent: fc.integer({ min: -50, max: 50 }) }),
          fc.record({ set: fc.integer({ min: 1, max: 50_000 }) }),
        ),
        turnaround: fc.constantFrom('3 days', '9'),
        language: fc.constantFrom('English', 'de'),
        niche: fc.constantFrom('General', 'Pets'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(state, { minLength: 1, maxLength: 5 }),
        change.filter((one) => Object.keys(one).length > 0),
        async (states, wanted) => {
          const [one, many] = [await makeUser('Seller'), await makeUser('Seller')];
          // One after another, so that the order of ids is that of the states.
          const make = async (owner: Actor) => {
            const ids: number[] = [];
            for (const { isPriced, isPaused, ...values } of states)
              ids.push(
                await makeSite(owner.userId, 60_000, {
                  ...values,
                  name: 'Post',
                  ...(!isPriced && { publicPriceCents: null, publicPriceUsdCents: null, adminPriceCents: null }),
                  ...(isPaused && { pausedAt: new Date(0) }),
                }),
              );
            return ids;
          };
          const [own, other] = [await make(many), await make(one)];
          const outcome = await apply({ ids: own, change: wanted }, many);
          const refused = new Set(outcome.rejected.map(({ id }) => id));
          const after = await Promise.all(own.map(siteRow));
          for (const [at, id] of other.entries()) {
            if (refused.has(own[at] ?? 0)) continue;
            const site = await siteRow(id);
            const body = ownSiteBody.parse({
              ...{ url: site.url, name: site.name, country: site.country },
              niche: wanted.niche ?? site.niche,
              language: wanted.language ?? site.language,
              tat: wanted.turnaround ?? site.tat,
              price: (wanted.price ? (after[at]?.sellerPriceCents ?? 0) : (site.sellerPriceCents ?? 0)) / 100,
            });
            await updateOwnSite(one, id, site.version, body);
          }
          const compared = async (ids: readonly number[]) =>
            (await Promise.all(ids.map(siteRow)))
              .filter((_, at) => !refused.has(own[at] ?? 0))
              .map(
                ({ id: _, ownerId: _owner, url, urlKey, domain, searchText, createdAt, updatedAt, ...facts }) => facts,
              );
          expect(await compared(own)).toEqual(await compared(other));
          const lines = async (ids: readonly number[]) =>
            (
              await db()
                .select({ action: auditLogs.action, before: auditLogs.before, after: auditLogs.after })
                .from(auditLogs)
                .where(and(eq(auditLogs.entityType, 'site'), inArray(auditLogs.entityId, ids.map(String))))
                .orderBy(asc(sql`${auditLogs.entityId}::int`))
            ).map((line) => JSON.stringify(line));
          expect(await lines(own)).toEqual(await lines(other));
          expect(outcome.changed).toBe((await lines(own)).length);
          expect(await db().select().from(notices).where(eq(notices.userId, many.userId))).toEqual([]);
        },
      ),
      { numRuns: propertyRuns(10) },
    );
  });

  it('moves public prices by rule without a review, sends other sites to review, and says so before', async () => {
    await rule('USD');
    const priced = await makeSite(seller.userId, 10_000, { sellerPriceCents: 8_000 });
    const without = await makeSite(seller.userId, 10_000, { sellerPriceCents: 8_000, publicCurrency: 'EUR' });
    const cheap = await makeSite(seller.userId, 10_000, { sellerPriceCents: 200 });
    const none = await makeSite(seller.userId, 10_000, { sellerPriceCents: null });
    const foreign = await makeSite((await makeUser('Seller')).userId, 10_000);
    const ids = [priced, without, cheap, none, foreign, 2_000_000_000];
    const input = { ids, change: { price: { cents: -500 } } };
    const shown = await apply({ ...input, dryRun: true });
    const unknown = 'This site does not exist or was deleted.';
    expect(shown).toEqual({
      ...{ count: 6, changed: 2, review: 1, preview: expect.any(String) },
      rejected: [
        { id: foreign, reason: unknown },
        { id: 2_000_000_000, reason: unknown },
        { id: cheap, reason: 'The price would be below 0.01, the minimum.' },
        { id: none, reason: 'The site has no price yet. Set one.' },
      ],
      samples: [
        expect.objectContaining({ id: priced, before: { priceCents: 8_000 }, after: { priceCents: 7_500 } }),
        expect.objectContaining({
          id: without,
          before: { priceCents: 8_000, status: 'Approved' },
          after: { priceCents: 7_500, status: 'Pending' },
        }),
      ],
    });
    expect(await siteRow(priced)).toMatchObject({ sellerPriceCents: 8_000, version: 1 });
    // Twice at once: one of them saves what the preview showed.
    const twice = await Promise.allSettled([1, 2].map(() => apply({ ...input, preview: shown.preview })));
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(apply({ ...input, preview: shown.preview })).rejects.toMatchObject({ code: 'conflict' });
    expect(await siteRow(priced)).toMatchObject({
      status: 'Approved',
      sellerPriceCents: 7_500,
      publicPriceCents: 9_375,
    });
    expect(await siteRow(without)).toMatchObject({ status: 'Pending', publicPriceCents: 10_000, isPriceStale: true });
    expect(await siteRow(foreign)).toMatchObject({ version: 1 });
  });

  it('changes, pauses and removes hundreds of sites by a filter, each with its line in the audit log', async () => {
    await db().execute(sql`
      insert into sites (owner_id, name, url, url_key, domain, status, seller_price_cents)
      select ${seller.userId}, 'Bulk ' || n, 'https://b' || n || '.example.com', ${seller.userId} || n, 'b' || n || '.example.com',
        'Pending', 1000 from generate_series(1, 600) n`);
    const ids = (await db().select({ id: sites.id }).from(sites).where(eq(sites.ownerId, seller.userId))).map(
      ({ id }) => String(id),
    );
    const all = { filter: { q: 'bulk', status: 'Pending' as const } };
    const one = await apply({ ...all, change: { price: { percent: 12.5 }, niche: 'Pets', pause: {} } });
    expect(one).toMatchObject({ count: 600, changed: 600, review: 0, rejected: [] });
    expect(one.samples).toHaveLength(10);
    expect(await apply({ ...all, change: { remove: true } })).toMatchObject({ changed: 600 });
    const rows = await db()
      .selectDistinct({
        ...{ price: sites.sellerPriceCents, niche: sites.niche, version: sites.version },
        isGone: sql`deleted_at is not null and paused_at is not null`,
      })
      .from(sites)
      .where(eq(sites.ownerId, seller.userId));
    expect(rows).toEqual([{ price: 1_125, niche: 'Pets', version: 3, isGone: true }]);
    const lines = await db()
      .select({ action: auditLogs.action, total: sql<number>`count(*)::int` })
      .from(auditLogs)
      .where(and(eq(auditLogs.entityType, 'site'), sql`${auditLogs.entityId} = any(${sql.param(ids)}::text[])`))
      .groupBy(auditLogs.action)
      .orderBy(auditLogs.action);
    expect(lines).toEqual(['site.deleted', 'site.paused', 'site.updated'].map((action) => ({ action, total: 600 })));
    expect(await apply({ ...all, change: { resume: true } })).toMatchObject({ count: 0, changed: 0 });
  });
});

describe('a paused site', () => {
  it('is not on sale, stays paused through edits and approval, and is on sale again on its day', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(seller.userId, 10_000, { name: 'Holiday Post' });
    const until = inDays(9);
    expect(await apply({ ids: [id], change: { pause: { until } } })).toMatchObject({ changed: 1, review: 0 });
    expect(await apply({ ids: [id], change: { pause: { until } } })).toMatchObject({ changed: 0 });
    expect(await findListedSite(id)).toBeNull();
    await expect(getListedSite(id)).rejects.toThrow(`Site #${id} is paused by its publisher until ${until}`);
    expect(await getSellerStats(seller.userId)).toMatchObject({ approved: 1, paused: 1 });
    const sort = { key: 'dr', order: 'desc' } as const;
    for (const status of [undefined, 'Approved', 'paused'] as const) {
      expect((await listSellerSites(seller.userId, { status, sort, limit: 5 })).rows.map((row) => row.id)).toEqual([
        id,
      ]);
      const ofStaff = await listManagedSites({ status, userId: seller.userId, sort, limit: 5 });
      expect(ofStaff.rows.map((row) => row.id)).toEqual([id]);
    }
    await apply({ ids: [id], change: { niche: 'Pets' } });
    await bulkSites(admin, { ids: [id], change: { kind: 'approve' } });
    expect(await siteRow(id)).toMatchObject({ status: 'Approved', pausedUntil: new Date(until) });
    await resumeSites();
    expect(await findListedSite(id)).toBeNull();
    await db().update(sites).set({ pausedUntil: sql`now()` }).where(eq(sites.id, id));
    const runs = await Promise.all([resumeSites(), resumeSites()]);
    expect(runs.reduce((sum, { resumed }) => sum + resumed, 0)).toBeGreaterThanOrEqual(1);
    expect(await siteRow(id)).toMatchObject({ pausedAt: null, pausedUntil: null });
    expect(await findListedSite(id)).not.toBeNull();
  });

  it('is marked in carts with its day and cannot be ordered, and its running orders go on', async () => {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 50_000);
    const id = await makeSite(seller.userId, 10_000, { isFulfilledByStaff: false });
    const projectId = await makeProject(buyer);
    const request = { kind: 'custom' as const, projectId, siteIds: [id] };
    const { orders: placed } = await createOrder(buyer, request);
    const { id: cartId, version } = await openCart(buyer, null);
    await saveCartItems(buyer, cartId, { items: [{ siteId: id }], version });
    const until = inDays(3);
    await apply({ ids: [id], change: { pause: { until } } });
    const pause = { until: `${until}T00:00:00.000Z` };
    expect((await getCart(buyer, cartId)).items).toMatchObject([{ state: 'paused', pause, priceCents: null }]);
    await expect(orderCart(buyer, cartId, { projectId, allowDuplicates: true })).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { [id]: expect.stringContaining('paused') } },
    });
    await expect(createOrder(buyer, request)).rejects.toMatchObject({ code: 'conflict' });
    await accept({ id: placed[0]?.id ?? 0, buyer, seller });
    await apply({ ids: [id], change: { resume: true } });
    expect((await getCart(buyer, cartId)).items).toMatchObject([{ state: 'ok', pause: null }]);
  });

  it('has no order that was placed after the answer to the pause, and buyers never pay more than they saw', async () => {
    await rule('USD');
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 10_000_000);
    const ids = await Promise.all([1, 2, 3].map(() => makeSite(seller.userId, 10_000, { sellerPriceCents: 8_000 })));
    const projectId = await makeProject(buyer);
    const order = (siteIds: number[]) =>
      createOrder(buyer, { kind: 'custom', projectId, siteIds, shownTotalCents: 30_000 });
    const count = async () => (await db().select().from(orders).where(inArray(orders.siteId, ids))).length;
    for (let round = 0; round < 2; round += 1) {
      const before = await count();
      const buying = [1, 2, 3, 4].map((at) => order(at % 2 ? ids : ids.toReversed()));
      const pausing = apply({ ids, change: { pause: {} } }).then(count);
      const bought = (await Promise.allSettled(buying)).filter(({ status }) => status === 'fulfilled').length;
      // Orders of the time before the answer are in the count that follows it.
      expect(await pausing).toBe(before + 3 * bought);
      await expect(order(ids)).rejects.toMatchObject({ code: 'conflict' });
      await apply({ ids, change: { resume: true } });
    }
    const buying = [1, 2, 3, 4].map(() => order(ids));
    await Promise.allSettled([...buying, apply({ ids, change: { price: { percent: 50 } } })]);
    const charged = await db().select({ cents: orders.chargedCents }).from(orders).where(inArray(orders.siteId, ids));
    expect(new Set(charged.map(({ cents }) => cents))).toEqual(new Set([10_000]));
    await expect(order(ids)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('price changed'),
    });
  });
});
