import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { countByFilter as countFor, sampleSize } from '@/lib/sites/catalogue/filter-counts';
import { countListed } from '@/lib/sites/catalogue/listed-sites';
import { rangeStops } from '@/lib/sites/catalogue/range-stops';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { type SiteFilter, siteFilter } from '@/lib/sites/catalogue/schemas';
import { sourceFigures } from '@/lib/sites/domain-figures/typed-figures';
import { makeSite, typedSources, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const niches = ['Travel', 'Law & Order', 'Pets'];
const siteArbitrary = fc.record({
  name: fc.constantFrom('Garden one', 'Kitchen two'),
  niche: fc.constantFrom(...niches),
  country: fc.constantFrom('USA', 'India'),
  language: fc.constantFrom('English', 'Hindi'),
  postType: fc.constantFrom('Guest posts', 'Homepage links'),
  followType: fc.constantFrom('DoFollow' as const, 'NoFollow' as const),
  dr: fc.option(fc.integer({ min: 0, max: 100 })),
  da: fc.option(fc.integer({ min: 0, max: 100 })),
  spam: fc.option(fc.integer({ min: 0, max: 100 })),
  traffic: fc.option(fc.constantFrom(0, 99, 100, 5_000, 9_000_000_000)),
  publicPriceUsdCents: fc.constantFrom(999, 1_000, 4_900, 5_000, 900_000),
  tatDays: fc.integer({ min: 1, max: 90 }),
  measured: fc.subarray(['dr', 'traffic'] as const),
  ownership: fc.constantFrom(null, 'owner' as const, 'contributor' as const),
  status: fc.constantFrom('Approved' as const, 'Approved' as const, 'Pending' as const),
});

const rarely = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filterArbitrary: fc.Arbitrary<SiteFilter> = fc.record({
  q: rarely('garden', 'GARDEN one', 'nothing'),
  niche: rarely(['Travel'], ['Travel', 'Pets']),
  country: rarely(['USA'], ['USA', 'India']),
  language: rarely(['Hindi']),
  postType: rarely('Guest posts'),
  followType: rarely('NoFollow' as const),
  minDr: rarely(20, 50),
  maxDr: rarely(50, 80),
  maxSpam: rarely(10, 50),
  minTraffic: rarely(100),
  maxPrice: rarely(999, 5_000),
  maxTat: rarely(30),
  measured: rarely<('dr' | 'traffic')[]>(['dr'], ['traffic'], ['dr', 'traffic']),
  owner: rarely('1' as const),
});

let ownerId = '';
beforeAll(async () => {
  ownerId = (await makeUser('Seller')).userId;
  await db()
    .insert(sites)
    .values(
      fc.sample(siteArbitrary, { numRuns: 300, seed: 7 }).map(({ measured, ...site }, index) =>
        withFacts({
          ...site,
          figureSources: {
            ...sourceFigures(site, 'seller'),
            ...Object.fromEntries(measured.map((metric) => [metric, { source: 'ahrefs', asOf: '2026-01-01' }])),
          },
          ownerId,
          url: `https://host${index}.example.com`,
          urlKey: `host${index}.example.com`,
          publicPriceCents: site.publicPriceUsdCents,
        }),
      ),
    );
});

const countByFilter = async (filter: SiteFilter) =>
  countFor(filter, { accountId: ownerId, hasBlocks: false }, await getCatalogueVersion());
const exactly = async (filter: SiteFilter) => (await countListed(filter, 'exact')).total;
const sum = (bars: readonly number[]) => bars.reduce((total, sites) => total + sites, 0);

describe('the numbers beside the filters', () => {
  it('equal the list with the filter changed to the option, for any other filters', async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(filterArbitrary, async (filter) => {
        const counts = await countByFilter(filter);
        matched += counts.sites > 0 ? 1 : 0;
        expect(counts).toMatchObject({ sites: await exactly(filter), isApproximate: false });
        for (const niche of niches) {
          const listed = counts.niche.find(({ value }) => value === niche)?.sites ?? 0;
          expect(listed).toBe(await exactly({ ...filter, niche: [niche] }));
        }
        for (const followType of ['DoFollow', 'NoFollow'] as const) {
          const listed = counts.followType.find(({ value }) => value === followType)?.sites ?? 0;
          expect(listed).toBe(await exactly({ ...filter, followType }));
        }
        // The bars of a range are of all sites with the figure that the other filters match.
        expect(sum(counts.ranges.dr)).toBe(await exactly({ ...filter, minDr: 0, maxDr: undefined }));
        expect(sum(counts.ranges.price)).toBe(await exactly({ ...filter, maxPrice: undefined }));
        expect(sum(counts.ranges.tat)).toBe(await exactly({ ...filter, maxTat: undefined }));
      }),
      { numRuns: 60 },
    );
    expect(matched).toBeGreaterThan(20);
  });

  it('assign each figure to the bar that begins at or below it, and the highest ones to the last bar', async () => {
    const { ranges, stops } = await countByFilter({});
    expect(stops.price).toEqual(rangeStops.price);
    const first = stops.price.indexOf(10);
    // $9.99 is below, $10.00 in the bar that begins at $10.
    expect(ranges.price[first]).toBe(await exactly({ minPrice: 1_000, maxPrice: 1_999 }));
    expect(ranges.price.at(-1)).toBe(await exactly({ minPrice: 100_000 }));
    expect(ranges.traffic.at(-1)).toBe(await exactly({ minTraffic: 500_000 }));
    expect(ranges.dr.at(-1)).toBe(await exactly({ minDr: 95 }));
  });

  it('contain a site from the moment it is listed, and not a withdrawn one', async () => {
    const id = await makeSite(ownerId, 1_000, { niche: 'Falconry' });
    const count = async () => (await countByFilter({})).niche.find(({ value }) => value === 'Falconry')?.sites;
    expect(await count()).toBe(1);
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.id, id));
    expect(await count()).toBeUndefined();
  });
});

describe('the filter of countries', () => {
  it('finds the sites of a country by its code and in another language, in the list and in the numbers', async () => {
    const id = await makeSite(ownerId, 1_000, { country: 'United Kingdom' });
    for (const country of [['UK'], ['Vereinigtes Königreich'], ['United Kingdom'], ['gb', 'India']]) {
      const { rows, total } = await listListedSites({ country });
      expect(rows.map((row) => row.id)).toContain(id);
      expect((await countByFilter({ country })).sites).toBe(total);
    }
  });
});

describe('the numbers of a large catalogue', () => {
  const size = 20_000;
  beforeAll(async () => {
    // ANALYZE requires the owner of the table. The sites of a niche are neighbors, and half of the ids are not listed.
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
    await owner`insert into sites (owner_id, name, url, url_key, domain, niche, country, dr, figure_sources, public_price_cents,
        public_price_usd_cents, status)
      select ${ownerId}, 'Site ' || n, 'https://many' || n || '.example.com', 'many' || n || '.example.com',
        'many' || n || '.example.com', 'Niche ' || n / 8000, (array['USA', 'India', 'Ghana'])[n % 3 + 1], n * 7 % 101, ${typedSources}::text::jsonb, n * 13 % 90000 + 100,
        n * 13 % 90000 + 100, case when n % 2 = 0 then 'Approved' else 'Pending' end
      from generate_series(1, ${size * 2}::int) n`;
    await owner`vacuum analyze sites`;
    await owner.end();
  }, 120_000);

  it('are estimates from a sample, near the exact numbers', async () => {
    for (const query of [{}, { minDr: '40' }, { country: ['USA', 'India'], maxPrice: '500' }]) {
      const filter = siteFilter.parse(query);
      const counts = await countByFilter(filter);
      const exact = await exactly(filter);
      expect(counts.isApproximate).toBe(true);
      expect(Math.abs(counts.sites - exact) / exact).toBeLessThan(0.1);
      const [most] = counts.niche.toSorted((one, other) => other.sites - one.sites);
      const exactNiche = await exactly({ ...filter, niche: [most?.value ?? ''] });
      expect(Math.abs((most?.sites ?? 0) - exactNiche) / exactNiche).toBeLessThan(0.3);
    }
  });

  it('are drawn along the index of listed sites, without reading the whole catalogue', async () => {
    const found = await db().execute(sql`explain (costs off)
      select near.id from sites near
      where near.status = 'Approved' and near.public_price_usd_cents is not null and near.deleted_at is null
        and near.paused_at is null and near.id >= 20000 order by near.id limit 1`);
    expect(JSON.stringify([...found])).toMatch(/sites_(listed_added_idx|pkey)/);
    expect(sampleSize).toBeLessThan(size / 3);
  });
});
