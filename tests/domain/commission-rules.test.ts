import { Readable } from 'node:stream';
import { and, asc, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { orders } from '@/db/schema/orders';
import { exchangeRates } from '@/db/schema/settings';
import { commissionRules, sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { bulkSites } from '@/lib/sites/bulk';
import { createOwnSite, createSite } from '@/lib/sites/create';
import { createSiteBody, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { importSites } from '@/lib/sites/import/import-sites';
import { getManagedSite } from '@/lib/sites/managed-queries';
import { bulkSitesInput } from '@/lib/sites/managed-schemas';
import { applyPrices, previewPrices } from '@/lib/sites/pricing/apply-rules';
import {
  createCommissionRule,
  deleteCommissionRule,
  listCommissionRules,
  listRuleChanges,
  updateCommissionRule,
} from '@/lib/sites/pricing/commission-rules';
import { commissionRuleInput } from '@/lib/sites/pricing/schemas';
import { updateOwnSite, updateSite } from '@/lib/sites/update';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const anySite = { sellerId: '', niche: '', currency: '', margin: '25', minimum: '' } as const;
const ruleOf = (values: Partial<z.input<typeof commissionRuleInput>>) =>
  commissionRuleInput.parse({ ...anySite, ...values });
const own = (price: number) =>
  ownSiteBody.parse({ url: `https://${newId()}.example.com`, name: 'Mine', country: 'USA', niche: 'Casino', price });
const approve = (actor: Actor, ...ids: number[]) =>
  bulkSites(actor, bulkSitesInput.parse({ ids, change: { kind: 'approve' } }));
const pricesOf = async (id: number) => {
  const { sellerPriceCents, adminPriceCents, publicPriceCents, publicPriceUsdCents } = await getManagedSite(id);
  return [sellerPriceCents, adminPriceCents, publicPriceCents, publicPriceUsdCents];
};

let admin: Actor;
beforeAll(() => db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 2_000_000 }));
beforeEach(async () => {
  admin = await makeUser('Admin');
  await db().delete(commissionRules);
});

describe('commission rules', () => {
  it('are unique by seller, niche in any spelling and currency, guarded by a version, audited and sorted', async () => {
    const seller = await makeUser('Seller');
    await createCommissionRule(admin, ruleOf({}));
    await createCommissionRule(admin, ruleOf({ niche: 'Health & Fitness', margin: '40', minimum: '12.50' }));
    await createCommissionRule(admin, ruleOf({ sellerId: seller.userId, margin: '10.5' }));
    const taken = { code: 'conflict' };
    await expect(createCommissionRule(admin, ruleOf({ niche: 'health and fitness' }))).rejects.toMatchObject(taken);
    await expect(createCommissionRule(admin, ruleOf({}))).rejects.toMatchObject(taken);
    await expect(createCommissionRule(admin, ruleOf({ sellerId: 'none' }))).rejects.toMatchObject({
      details: { fields: { sellerId: 'Choose an owner.' } },
    });
    const listed = await listCommissionRules();
    expect(listed.map(({ name }) => name)).toEqual([seller.name, 'Health & Fitness', 'All sites']);
    const [first] = listed;
    if (!first) throw new Error('No rule.');
    const { id, version } = first;
    const edit = { id, version, ...ruleOf({ sellerId: seller.userId, currency: 'EUR', margin: '11' }) };
    const both = await Promise.allSettled([updateCommissionRule(admin, edit), updateCommissionRule(admin, edit)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(deleteCommissionRule(admin, { id, version })).rejects.toMatchObject(taken);
    await deleteCommissionRule(admin, { id, version: version + 1 });
    const changes = (await listRuleChanges(3)).map(({ details }) => details);
    expect(changes).toEqual([
      `The commission rule for ${seller.email}, EUR was deleted: 11%.`,
      `The commission rule for ${seller.email}, EUR was changed: 10.5% → 11%.`,
      `The commission rule for ${seller.email} was created: 10.5%.`,
    ]);
  });

  it.each([
    [{ margin: '-1' }],
    [{ margin: '1000.01' }],
    [{ margin: '' }],
    [{ minimum: '-0.01' }],
    [{ minimum: 'ten' }],
    [{ minimum: '1000000.01' }],
    [{ niche: '\u200b' }],
  ])('are refused with %j', (values) => {
    expect(commissionRuleInput.safeParse({ ...anySite, ...values }).success).toBe(false);
  });
});

describe('the price of an approval', () => {
  it("is set by rule, and again when the seller's price changed, while a price set by hand stays", async () => {
    const seller = await makeUser('Seller');
    const [byRule, byHand] = [await createOwnSite(seller, own(100)), await createOwnSite(seller, own(100))];
    // Without a rule, the site waits for its price.
    expect(await approve(admin, byRule.id)).toMatchObject({ changed: 1, awaitingPrice: 1 });
    expect(await pricesOf(byRule.id)).toEqual([10_000, null, null, null]);

    await createCommissionRule(admin, ruleOf({ niche: 'casino', margin: '50', minimum: '10' }));
    await updateOwnSite(seller, byRule.id, 2, own(100));
    const site = (id: number) => getManagedSite(id);
    expect(await approve(admin, byRule.id)).toMatchObject({ changed: 1, awaitingPrice: 0 });
    expect(await pricesOf(byRule.id)).toEqual([10_000, 15_000, 15_000, 15_000]);
    const [entry] = await db()
      .select({ details: auditLogs.details })
      .from(auditLogs)
      .where(and(eq(auditLogs.entityType, 'site'), eq(auditLogs.entityId, String(byRule.id))))
      .orderBy(sql`${auditLogs.id} desc`)
      .limit(1);
    expect(entry?.details).toContain('A commission rule (50%, at least $10.00) set the public price to $150.00.');

    const typed = updateSiteBody.parse({ status: 'Approved', publicPrice: 130 });
    await updateSite(admin, byHand.id, typed);
    expect(await pricesOf(byHand.id)).toEqual([10_000, null, 13_000, 13_000]);
    // Another fact changes no price; another price of the seller does.
    const edit = async (price: number, name: string) =>
      updateOwnSite(seller, byHand.id, (await site(byHand.id)).version, { ...own(price), name });
    await edit(100, 'Renamed');
    await approve(admin, byHand.id);
    expect((await site(byHand.id)).publicPriceCents).toBe(13_000);
    await edit(140, 'Renamed');
    // Another currency sets no price.
    for (const publicCurrency of ['EUR', 'USD'])
      await updateSite(admin, byHand.id, updateSiteBody.parse({ publicCurrency }));
    expect((await site(byHand.id)).isPriceStale).toBe(true);
    await approve(admin, byHand.id);
    expect(await site(byHand.id)).toMatchObject({ publicPriceCents: 21_000, isPriceStale: false });
    // Without a rule, a price below the seller's is removed.
    await db().delete(commissionRules);
    await edit(211, 'Renamed');
    expect(await approve(admin, byHand.id)).toMatchObject({ changed: 1, awaitingPrice: 1 });
    expect((await site(byHand.id)).publicPriceUsdCents).toBeNull();
  });

  it('is set for an approved site that staff add or import without one, in its currency, and a typed price prevails', async () => {
    // 30 USD are 15 EUR.
    await createCommissionRule(admin, ruleOf({ margin: '10', minimum: '30' }));
    const body = { name: 'A', status: 'Approved', price: 100, publicCurrency: 'EUR' };
    const add = (more: object) =>
      createSite(admin, createSiteBody.parse({ ...body, url: `https://${newId()}.example.com`, ...more }));
    expect(await add({})).toMatchObject({ publicPriceCents: 11_500, publicPriceUsdCents: 23_000 });
    expect(await add({ publicPrice: 90 })).toMatchObject({ publicPriceCents: 9_000 });
    expect(await add({ publicPrice: '' })).toMatchObject({ publicPriceCents: 11_500 });
    expect(await add({ status: 'Pending' })).toMatchObject({ publicPriceCents: null });
    expect(await add({ publicCurrency: 'INR' })).toMatchObject({ publicPriceCents: null });

    const importer = await makeUser('Admin');
    const file = [
      'URL,Price,Public price,Currency,Status',
      'one.example,€100,,EUR,Approved',
      'two.example,100,150,USD,Approved',
      'three.example,100,,USD,Pending',
      'four.example,,,USD,Approved',
    ].join('\n');
    await importSites(importer, { file: Readable.from([Buffer.from(file)]), name: 'a.csv', audience: 'staff' });
    const imported = await db().select().from(sites).where(eq(sites.ownerId, importer.userId)).orderBy(asc(sites.id));
    expect(
      imported.map(({ publicPriceCents, publicPriceUsdCents }) => [publicPriceCents, publicPriceUsdCents]),
    ).toEqual([
      [11_500, 23_000],
      [15_000, 15_000],
      [null, null],
      [null, null],
    ]);
  });
});

describe('a preview of prices', () => {
  it('changes nothing, and is applied except where a site or its price by the rules changed meanwhile', async () => {
    const seller = await makeUser('Seller');
    const make = (price: number) => makeSite(seller.userId, price, { sellerPriceCents: 1_000 });
    const [a, b, c, d] = [await make(1_000), await make(2_000), await make(3_000), await make(4_000)];
    const unpriced = await makeSite(seller.userId, 500, { sellerPriceCents: null });
    await createCommissionRule(admin, ruleOf({ sellerId: seller.userId, margin: '100' }));
    const ids = [a, b, c, d, unpriced, 2_000_000_000];
    const preview = await previewPrices({ ids });
    expect(preview.map((site) => ('problem' in site ? site.problem : [site.priceCents, site.newPriceCents]))).toEqual([
      ...[1_000, 2_000, 3_000, 4_000].map((price) => [price, 2_000]),
      'no-seller-price',
    ]);
    expect(preview[0]).toMatchObject({ rule: `${seller.name}: 100%` });
    expect(await pricesOf(a)).toEqual([1_000, 1_000, 1_000, 1_000]);

    const chosen = preview.flatMap((site) =>
      'problem' in site ? [] : [{ id: site.id, version: site.version, priceCents: site.newPriceCents }],
    );
    await updateSite(admin, c, updateSiteBody.parse({ publicPrice: 77 }));
    const forged = chosen.map((site) => (site.id === d ? { ...site, priceCents: 1 } : site));
    const both = await Promise.all([applyPrices(admin, { sites: forged }), applyPrices(admin, { sites: forged })]);
    // One of two at once wins; for the other, `a` was changed, while `b` has the price already.
    expect(both.map(({ changed }) => changed).sort()).toEqual([0, 1]);
    expect(both.map(({ conflicts }) => conflicts).sort()).toEqual([2, 3]);
    const publicPrices = async () => Promise.all([a, b, c, d].map(async (id) => (await pricesOf(id))[2]));
    expect(await publicPrices()).toEqual([2_000, 2_000, 7_700, 4_000]);
    // A rule that changed meanwhile gives other prices.
    const again = (await previewPrices({ ids: [d] })).flatMap((site) =>
      'problem' in site ? [] : [{ id: site.id, version: site.version, priceCents: site.newPriceCents }],
    );
    await db().update(commissionRules).set({ marginBasisPoints: 1 });
    expect(await applyPrices(admin, { sites: again })).toEqual({ changed: 0, conflicts: 1 });
  });

  it('does not change existing orders', async () => {
    const order = await makeOffer(2_000);
    const [before] = await db().select().from(orders).where(eq(orders.id, order.id));
    await createCommissionRule(admin, ruleOf({ margin: '300' }));
    const preview = await previewPrices({ ids: [before?.siteId ?? 0] });
    await applyPrices(admin, {
      sites: preview.flatMap((site) =>
        'problem' in site ? [] : [{ id: site.id, version: site.version, priceCents: site.newPriceCents }],
      ),
    });
    expect((await getManagedSite(before?.siteId ?? 0)).version).toBe(2);
    expect(await db().select().from(orders).where(eq(orders.id, order.id))).toEqual([before]);
  });
});
