import { describe, expect, it } from 'vitest';
import { listAllSites, listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { adminSiteView, marketplaceRows, publicSiteView } from '@/lib/sites/views';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

/** Amounts and a name that occur only here, so that a leak under any key is detected. */
const secrets = { sellerPriceCents: 71_317, adminPriceCents: 81_919 };

async function secretSite() {
  const owner = await makeUser('Seller', { name: 'Secretive Owner' });
  const id = await makeSite(owner.userId, 99_991, {
    ...secrets,
    publicCurrency: 'EUR',
    publicPriceUsdCents: 108_490,
    dr: 41.5,
    authorityScore: 33,
    keywordsCount: 1_200,
    refDomains: 88,
    traffic: 5_000_000_000,
  });
  return { id, owner };
}

describe("the buyer's view of a site", () => {
  it('contains neither internal prices nor the owner, under any name', async () => {
    const { id, owner } = await secretSite();
    const { rows } = await listListedSites({ ids: [id] });
    for (const seen of [rows, rows.map(publicSiteView), marketplaceRows(rows)]) {
      // Figures have the name of their source, also where that is the seller.
      const text = JSON.stringify(seen).replaceAll(/"seller"|Typed by the seller|"ownership":null/g, '');
      expect(seen).toHaveLength(1);
      for (const secret of ['71317', '713.17', '81919', '819.19', owner.userId, owner.name, owner.email]) {
        expect(text).not.toContain(secret);
      }
      expect(text).not.toMatch(/"(?:seller|owner(?!ship")|admin|version|createdAt)\w*":/i);
    }
  });

  it('has the fields of the specification, with prices in major units', async () => {
    const { id } = await secretSite();
    const { rows } = await listListedSites({ ids: [id] });
    expect(rows.map(publicSiteView)[0]).toMatchObject({
      id,
      postType: 'Guest posts',
      price: 999.91,
      currency: 'EUR',
      priceUsd: 1_084.9,
      language: 'English',
      niche: 'General',
      country: 'USA',
      dr: 41.5,
      da: null,
      as: 33,
      traffic: 5_000_000_000,
      keywords: 1_200,
      keywords_count: 1_200,
      ref_domains: 88,
      tat_days: 3,
      status: 'Approved',
      words: 600,
      followType: 'DoFollow',
      follow: true,
    });
  });
});

describe("the staff's view of a site", () => {
  it('contains every status, all three prices and the owner', async () => {
    const { id, owner } = await secretSite();
    const pending = await makeSite(owner.userId, 5_000, {
      status: 'Pending',
      adminPriceCents: null,
      publicPriceCents: null,
      publicPriceUsdCents: null,
    });
    const deleted = await makeSite(owner.userId, 5_000, { deletedAt: new Date() });
    const ids = [id, pending, deleted];
    const { rows, counted } = await listAllSites({ ids, limit: 10 });
    expect(counted).toEqual({ total: 2, isCapped: false });
    expect(await listAllSites({ ids, limit: 1, total: 'none' })).toMatchObject({ rows: [{ id }], counted: null });
    expect(await listAllSites({ ids })).toEqual({ rows, next: null, counted: null });
    const byValue = await listAllSites({ ids, limit: 10, sort: 'value', order: 'desc' });
    expect(byValue.rows.map(({ id: listed }) => listed)).toEqual([id, pending]);
    expect(rows.map(adminSiteView)).toEqual([
      expect.objectContaining({
        id,
        price: 713.17,
        adminPrice: 819.19,
        publicPrice: 999.91,
        publicCurrency: 'EUR',
        userId: owner.userId,
        userName: 'Secretive Owner',
      }),
      expect.objectContaining({ id: pending, status: 'Pending', adminPrice: null, publicPrice: null, priceUsd: null }),
    ]);
  });
});
