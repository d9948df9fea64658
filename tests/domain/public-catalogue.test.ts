import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { niches } from '@/db/schema/taxonomy';
import { getPublicSummary, listPublicSamples } from '@/lib/sites/catalogue/public-summary';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

it('the public catalog counts listed sites, gives each niche its own address, and says nothing of sellers', async () => {
  const { userId, email } = await makeUser('Seller');
  const secret = { name: 'Secret Gazette', url: 'https://secret-gazette.example.com', country: 'Norway' };
  await db()
    .insert(niches)
    .values([{ name: 'Home & Garden' }, { name: 'Home, Garden' }])
    .onConflictDoNothing();
  await makeSite(userId, 4_000, { ...secret, niche: 'Home & Garden', dr: 52, sellerPriceCents: 1_234 });
  await makeSite(userId, 9_000, { niche: 'Home & Garden', dr: null, country: 'secret-gazette.example' });
  await makeSite(userId, 7_000, { niche: 'Home, Garden', dr: 20, country: 'Norway' });
  await makeSite(userId, 100, { niche: 'Home & Garden', dr: 99, status: 'Pending', country: 'Spain' });
  await makeSite(userId, 100, { niche: 'Hidden', publicPriceCents: null, publicPriceUsdCents: null });
  await makeSite(userId, 8_000, { niche: 'visit-secret-gazette.example', country: 'secret-gazette.example' });
  await makeSite(userId, 100, { niche: 'Deleted', deletedAt: new Date() });

  const summary = await getPublicSummary();
  expect(summary).toEqual({
    ...{ sites: 4, countries: 2, topDr: 52, fromCents: 4_000 },
    niches: [
      {
        ...{ niche: 'Home & Garden', slug: 'home-garden', sites: 2, countries: 2 },
        ...{ minPriceCents: 4_000, maxPriceCents: 9_000, minDr: 52, maxDr: 52 },
      },
      {
        ...{ niche: 'Home, Garden', slug: 'home-garden-2', sites: 1, countries: 1 },
        ...{ minPriceCents: 7_000, maxPriceCents: 7_000, minDr: 20, maxDr: 20 },
      },
    ],
  });

  const hidden = await listPublicSamples('Home & Garden', false);
  expect(hidden.map(({ dr, priceUsdCents, country }) => [dr, priceUsdCents, country])).toEqual([
    [52, 4_000, 'Norway'],
    [null, 9_000, null],
  ]);
  for (const word of [secret.name, 'secret-gazette', userId, email, '1234'])
    expect(JSON.stringify([summary, hidden])).not.toContain(word);
  expect((await listPublicSamples('Home & Garden', true))[0]).toMatchObject({ name: secret.name, url: secret.url });
});

it('reads the summary once for all visitors of ten minutes', async () => {
  const { userId } = await makeUser('Seller');
  const before = await getPublicSummary();
  await makeSite(userId, 1_000);
  const [one, other] = await Promise.all([getPublicSummary(), getPublicSummary()]);
  expect(one).toBe(before);
  expect(other).toBe(before);
});
