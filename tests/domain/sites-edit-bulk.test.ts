import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { db } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
import { newId } from '@/lib/ids';
import { csvCell } from '@/lib/platform/csv';
import { bulkSites } from '@/lib/sites/bulk';
import { exportSites, getManagedSite, listManagedSites } from '@/lib/sites/managed-queries';
import { bulkSitesInput, managedSitesFilter } from '@/lib/sites/managed-schemas';
import { findSellerSite, listSellerSites } from '@/lib/sites/seller-queries';
import { sellerSiteView } from '@/lib/sites/seller-view';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const input = (ids: number[], change: z.input<typeof bulkSitesInput>['change']) =>
  bulkSitesInput.parse({ ids, change });

describe('a price by margin', () => {
  it('sets margin price and public price, with the price in USD, and counts sites without a price', async () => {
    const admin = await makeUser('Admin');
    await db().delete(exchangeRates).where(eq(exchangeRates.currency, 'EUR'));
    await db()
      .insert(exchangeRates)
      .values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_100_000, effectiveAt: new Date() });
    const usd = await makeSite(admin.userId, 1, { sellerPriceCents: 1_001 });
    const eur = await makeSite(admin.userId, 1, { sellerPriceCents: 1_000, publicCurrency: 'EUR' });
    const none = await makeSite(admin.userId, 1, { sellerPriceCents: null });
    const price = input([usd, eur, none, usd, 2_000_000_000], { kind: 'price', margin: '25.5' });
    expect(await bulkSites(admin, price)).toMatchObject({ changed: 2, unchanged: 1, unpriced: 1 });
    expect(await getManagedSite(usd)).toMatchObject({
      adminPriceCents: 1_256,
      publicPriceCents: 1_256,
      publicPriceUsdCents: 1_256,
    });
    expect(await getManagedSite(eur)).toMatchObject({ publicPriceCents: 1_255, publicPriceUsdCents: 1_381 });
    expect(await getManagedSite(none)).toMatchObject({ publicPriceCents: 1, version: 1 });
    expect(await bulkSites(admin, price)).toMatchObject({ changed: 0, unchanged: 3, unpriced: 1 });
  });

  it.each(['-1', '1000.01', 'x', '', '1.234'])('rejects a margin of %j', (margin) => {
    expect(bulkSitesInput.safeParse({ ids: [1], change: { kind: 'price', margin } }).success).toBe(false);
  });
});

describe('several sites at once', () => {
  it('are approved, rejected and deleted, also concurrently in opposite order', async () => {
    const admin = await makeUser('Admin');
    const ids = await Promise.all(Array.from({ length: 12 }, () => makeSite(admin.userId, 500, { status: 'Pending' })));
    const outcomes = await Promise.all([
      bulkSites(admin, input(ids, { kind: 'approve' })),
      bulkSites(admin, input(ids.toReversed(), { kind: 'approve' })),
    ]);
    expect(outcomes.reduce((sum, { changed }) => sum + changed, 0)).toBe(12);
    expect(await bulkSites(admin, input(ids, { kind: 'reject', reason: 'topic', note: '' }))).toMatchObject({
      changed: 12,
    });
    expect(await bulkSites(admin, input(ids, { kind: 'delete' }))).toMatchObject({ changed: 12 });
    expect(await bulkSites(admin, input(ids, { kind: 'delete' }))).toMatchObject({ changed: 0, unchanged: 12 });
  });
});

describe('the list and its export', () => {
  it('filter by status, niche, country, post type, owner and ownership, and sort', async () => {
    const owner = await makeUser('Seller');
    const a = await makeSite(owner.userId, 900, { name: 'Aardvark', niche: 'Bees', country: 'Norway', dr: 5 });
    const b = await makeSite(owner.userId, 100, {
      name: 'Bb',
      ownership: 'contributor',
      status: 'Pending',
      postType: 'Sitewide links',
      dr: null,
    });
    const idsOf = async (
      filter: Record<string, string>,
      key: 'added' | 'dr' | 'price' = 'added',
      order: 'asc' | 'desc' = 'desc',
    ) => {
      const query = {
        ...managedSitesFilter.parse({ userId: owner.userId, ...filter }),
        sort: { key, order },
        limit: 10,
        offset: 0,
      };
      return (await listManagedSites(query)).rows.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([b, a]);
    expect(await idsOf({}, 'price', 'asc')).toEqual([b, a]);
    expect(await idsOf({}, 'dr', 'desc')).toEqual([a, b]);
    expect(await idsOf({ status: 'Pending' })).toEqual([b]);
    await expect(idsOf({ status: 'nonsense' })).rejects.toThrow('Use one of Pending');
    expect(await idsOf({ niche: 'Bees', country: 'Norway' })).toEqual([a]);
    expect(await idsOf({ postType: 'Sitewide links' })).toEqual([b]);
    expect(await idsOf({ q: 'aardVARK' })).toEqual([a]);
    expect(await idsOf({ ownership: 'contributor' })).toEqual([b]);
    expect(await idsOf({ ownership: 'owner' })).toEqual([]);
    expect(await idsOf({ ownership: 'none' })).toEqual([a]);
  });

  it('show an approved site without a public price as awaiting price, to staff and to its seller, until it has one', async () => {
    const [admin, owner] = [await makeUser('Admin'), await makeUser('Seller')];
    const priced = await makeSite(owner.userId, 900, { status: 'Pending' });
    const [early, late] = await Promise.all(
      [1, 2].map(() =>
        makeSite(owner.userId, 900, { status: 'Pending', publicPriceCents: null, publicPriceUsdCents: null }),
      ),
    );
    if (!early || !late) throw new Error('No site.');
    await bulkSites(admin, input([priced, early, late], { kind: 'approve' }));
    const filter = managedSitesFilter.parse({ userId: owner.userId, status: 'awaiting-price' });
    const idsOf = async (key: 'added' | 'name' | 'price') =>
      (await listManagedSites({ ...filter, sort: { key, order: 'asc' }, limit: 10, offset: 0 })).rows
        .map(({ id }) => id)
        .sort((one, other) => one - other);
    const waiting = [early, late].sort((one, other) => one - other);
    for (const key of ['added', 'name', 'price'] as const) expect(await idsOf(key), key).toEqual(waiting);
    const ownOf = async () =>
      (await listSellerSites(owner.userId, { status: 'awaiting-price', limit: 10, offset: 0 })).rows;
    expect((await ownOf()).map(({ isAwaitingPrice }) => isAwaitingPrice)).toEqual([true, true]);
    expect(await findSellerSite(owner.userId, priced)).toMatchObject({ status: 'Approved', isAwaitingPrice: false });
    const site = await findSellerSite(owner.userId, early);
    expect(site && sellerSiteView(site)).toMatchObject({ status: 'Approved', isAwaitingPrice: true });

    await bulkSites(admin, input([early], { kind: 'price', margin: '20' }));
    expect((await ownOf()).map(({ id }) => id)).toEqual([late]);
    expect(await idsOf('added')).toEqual([late]);
    const onSale = await findSellerSite(owner.userId, early);
    expect(onSale && sellerSiteView(onSale)).not.toHaveProperty('isAwaitingPrice');
  });

  it('escape formulas and quote where necessary', async () => {
    const owner = await makeUser('Seller', { name: '=cmd' });
    await makeSite(owner.userId, 12_345, {
      name: '=HYPERLINK("http://evil.example.com";"x")',
      niche: '+1',
      country: '@sum',
      tat: '-2+3',
      rules: '=1+1',
    });
    await makeSite(owner.userId, 100, { name: 'Quote "me", please', ownership: 'owner' });
    const pieces: string[] = [];
    for await (const piece of exportSites(managedSitesFilter.parse({ userId: owner.userId }))) pieces.push(piece);
    const text = pieces.join('');
    expect(text).toMatch(/^\uFEFFID,Name,URL,DR/);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example.com"";""x"")"`);
    expect(text).toContain(`'@sum,'+1,Guest posts`);
    expect(text).toContain(`,'-2+3,,'=1+1,61.72,123.45,123.45,USD,Approved,'=cmd,`);
    expect(text).toContain('"Quote ""me"", please"');
    expect(text).toMatch(/Owner Email,Ownership\r\n(.*,\r\n.*,owner|.*,owner\r\n.*,)\r\n$/);
    expect(text.split('\r\n')).toHaveLength(4);
  });

  it.each(['=1', '+1', '-1+1', '-a', '@a', '\t=1', '\r=1', '\n=1', '  =1', '＝1', '＠a'])('escape %j', (text) => {
    expect(csvCell(text)).toMatch(/^"?'/);
  });

  it('leave a negative number as it is', () => {
    expect(csvCell('-12.50')).toBe('-12.50');
  });
});
