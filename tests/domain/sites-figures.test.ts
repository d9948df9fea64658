import { expect, it } from 'vitest';
import { getCatalogueStats } from '@/lib/sites/catalogue/public-summary';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

it('the figures of a sign-in page count listed sites only, and are cached', async () => {
  const { userId } = await makeUser('Seller');
  await makeSite(userId, 1_000, { da: 41, dr: 52, traffic: 9_000, keywordsCount: 120 });
  await makeSite(userId, 1_000, { da: 44, dr: 12, traffic: null, keywordsCount: null });
  await makeSite(userId, 1_000, { da: 99, dr: 99, traffic: 1_000_000, keywordsCount: 1_000_000, status: 'Pending' });
  await makeSite(userId, 1_000, { da: 98, dr: 98, publicPriceCents: null, publicPriceUsdCents: null });
  const figures = { sites: 2, topDa: 44, topDr: 52, topTraffic: 9_000, topKeywords: 120 };
  expect(await getCatalogueStats()).toEqual(figures);
  await makeSite(userId, 1_000, { da: 90 });
  expect(await getCatalogueStats()).toEqual(figures);
});
