import { and, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import fc from 'fast-check';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { getIndexRanges } from '@/db/read-sorted-page';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { parseQuery } from '@/lib/platform/http/parse';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { listListedPage, toListOrder } from '@/lib/sites/catalogue/listed-sites';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import {
  decodeCursor,
  encodeCursor,
  parseSiteFilter,
  type SiteCursor,
  type SiteSortKey,
  type SitesQuery,
  siteSortKeys,
  sitesQuery,
} from '@/lib/sites/catalogue/schemas';
import { sourceFigures } from '@/lib/sites/domain-figures/typed-figures';
import { propertyRuns } from '@/scripts/testing/tier';
import { typedSources, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

type Site = typeof sites.$inferSelect;

const niches = ['Travel', 'Law & Order', "L'Art"];
const countries = ['USA', 'Côte d’Ivoire'];
const words = ['garden', '100%', 'under_score', 'back\\slash', 'café', 'GÉO'];

/** A small catalogue with many ties, missing figures, LIKE wildcards, and unlisted sites. */
const siteArbitrary = fc.record({
  word: fc.constantFrom(...words),
  niche: fc.constantFrom(...niches),
  country: fc.constantFrom(...countries),
  language: fc.constantFrom('English', 'French'),
  postType: fc.constantFrom('Guest posts', 'Homepage links'),
  followType: fc.constantFrom('DoFollow' as const, 'NoFollow' as const),
  dr: fc.option(fc.integer({ min: 0, max: 6 }).map((tens) => tens * 10)),
  da: fc.option(fc.constantFrom(10, 10.5, 40)),
  spam: fc.option(fc.integer({ min: 0, max: 3 })),
  traffic: fc.option(fc.constantFrom(0, 500, 12_000, 9_000_000_000)),
  publicPriceUsdCents: fc.option(fc.constantFrom(2_500, 2_599, 10_000), { freq: 8 }),
  measured: fc.subarray(['dr', 'traffic'] as const),
  ownership: fc.constantFrom(null, 'owner' as const, 'contributor' as const),
  reliability: fc.option(fc.constantFrom(0, 0.25, 0.5, 0.93)),
  status: fc.constantFrom(
    'Approved' as const,
    'Approved' as const,
    'Approved' as const,
    'Pending' as const,
    'Rejected' as const,
  ),
});

let catalogue: Site[] = [];

beforeAll(async () => {
  const { userId: ownerId } = await makeUser('Seller');
  const drawn = fc.sample(siteArbitrary, { numRuns: 240, seed: 42 });
  catalogue = await db()
    .insert(sites)
    .values(
      drawn.map(({ word, measured, ...values }, index) =>
        withFacts({
          ...values,
          figureSources: {
            ...sourceFigures(values, 'seller'),
            ...Object.fromEntries(measured.map((metric) => [metric, { source: 'ahrefs', asOf: '2026-01-01' }])),
          },
          ownerId,
          name: `${letters(index % 40)} ${word}`,
          url: `https://host${index}.example.com`,
          urlKey: `host${index}.example.com`,
          publicPriceCents: values.publicPriceUsdCents,
          deletedAt: index % 9 === 0 ? new Date() : null,
        }),
      ),
    )
    .returning();
});

/** Lower-case letters only, so that every collation sorts them alike. */
function letters(index: number): string {
  return `${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`;
}

/** Mostly absent, so that several filters together still match. */
const rarely = <T>(...values: T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const queryArbitrary: fc.Arbitrary<SitesQuery> = fc.record({
  q: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['garden', 'GARDEN', '0%', '%', 'r_s', '_', '\\', 'café', 'CAFÉ', 'géo', 'a garden', 'host1', 'nothing'],
      ),
    },
  ),
  niche: rarely<string[]>(...niches.map((niche) => [niche]), niches.slice(0, 2), ['None', 'Travel']),
  country: rarely<string[]>(['USA'], countries),
  language: rarely<string[]>(['English']),
  postType: rarely('Guest posts'),
  followType: rarely('NoFollow' as const),
  minDr: rarely(0, 30),
  maxDr: rarely(30, 60),
  minDa: rarely(10, 10.5),
  maxDa: rarely(10, 40),
  minSpam: rarely(0, 1),
  maxSpam: rarely(1, 3),
  minTraffic: rarely(1),
  maxTraffic: rarely(12_000),
  minPrice: rarely(2_500, 2_599),
  maxPrice: rarely(2_598, 10_000),
  measured: rarely<('dr' | 'traffic')[]>(['dr'], ['traffic'], ['dr', 'traffic']),
  owner: rarely('1' as const),
  sort: fc.constantFrom(undefined, ...siteSortKeys),
  order: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
  limit: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 60 })),
  offset: fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 40 })),
});

/** The expected result, computed naively. */
function model(query: SitesQuery): { ids: number[]; total: number } {
  const within = (value: number | null, low: number | undefined, high: number | undefined) =>
    (low === undefined && high === undefined) ||
    (value !== null && value >= (low ?? -Infinity) && value <= (high ?? Infinity));
  const same = (wanted: string | undefined, value: string) => wanted === undefined || wanted === value;
  const oneOf = (wanted: string[] | undefined, value: string) => wanted === undefined || wanted.includes(value);
  const found = catalogue
    .filter((site) => site.status === 'Approved' && site.publicPriceUsdCents !== null && site.deletedAt === null)
    .filter((site) => {
      const text = `${site.name} ${site.url}`.toLowerCase();
      return (query.q ?? '')
        .toLowerCase()
        .split(' ')
        .every((word) => text.includes(word));
    })
    .filter(
      (site) =>
        oneOf(query.niche, site.niche) &&
        oneOf(query.country, site.country) &&
        oneOf(query.language, site.language) &&
        same(query.postType, site.postType) &&
        same(query.followType, site.followType) &&
        within(site.dr, query.minDr, query.maxDr) &&
        within(site.da, query.minDa, query.maxDa) &&
        within(site.spam, query.minSpam, query.maxSpam) &&
        within(site.traffic, query.minTraffic, query.maxTraffic) &&
        within(site.publicPriceUsdCents, query.minPrice, query.maxPrice) &&
        (query.measured ?? []).every((metric) => site.figureSources[metric]?.source === 'ahrefs') &&
        (query.owner === undefined || site.ownership === 'owner'),
    )
    .sort((one, other) => compare(one, other, query.sort ?? 'price', query.order === 'desc' ? -1 : 1));
  const from = query.offset ?? 0;
  const to = query.limit === undefined ? undefined : from + query.limit;
  return { ids: found.slice(from, to).map(({ id }) => id), total: found.length };
}

function compare(one: Site, other: Site, key: SiteSortKey, sign: 1 | -1): number {
  const keyOf = (site: Site) => {
    if (key === 'added') return site.id;
    if (key === 'price') return site.publicPriceUsdCents;
    return key === 'value' ? toValue(site) : site[key];
  };
  const [left, right] = [keyOf(one), keyOf(other)];
  if (left === right) return sign * (one.id - other.id);
  if (left === null || left === undefined) return 1;
  if (right === null || right === undefined) return -1;
  return sign * (left < right ? -1 : 1);
}

/** DR times the magnitude of the traffic, per price. */
function toValue({ dr, traffic, publicPriceUsdCents }: Site): number | null {
  if (dr === null || traffic === null || publicPriceUsdCents === null) return null;
  return Math.floor((dr * Math.log10(traffic + 10) * 1_000_000) / publicPriceUsdCents);
}

function cursorOf(text: string): SiteCursor {
  const cursor = decodeCursor(text);
  if (!cursor) throw new Error(`No cursor: ${text}`);
  return cursor;
}

describe('the catalogue', () => {
  it('filters, sorts and pages exactly as an in-memory scan does', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(queryArbitrary, async (query) => {
        const { rows, total } = await listListedSites(query);
        found += rows.length > 1 ? 1 : 0;
        expect({ ids: rows.map(({ id }) => id), total }).toEqual(model(query));
      }),
      { numRuns: propertyRuns(300) },
    );
    // Otherwise the comparison would prove little.
    expect(found).toBeGreaterThan(propertyRuns(75));
  });

  it('lists every site once over all pages, with any ties', async () => {
    for (const sort of siteSortKeys) {
      const whole = (await listListedSites({ sort, order: 'desc' })).rows.map(({ id }) => id);
      const paged: number[] = [];
      for (let offset = 0; offset < whole.length; offset += 7) {
        paged.push(...(await listListedSites({ sort, order: 'desc', limit: 7, offset })).rows.map(({ id }) => id));
      }
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(paged.length);
    }
  });

  it('returns the same pages by cursor, forwards and backwards, in every order', async () => {
    for (const sort of siteSortKeys) {
      for (const order of ['asc', 'desc'] as const) {
        const list = { sort, order, niche: ['Travel'] };
        const whole = (await listListedSites(list)).rows.map(({ id }) => id);
        const forwards: number[][] = [];
        let page = await listListedPage({ ...list, limit: 5 });
        expect(page.previous).toBeNull();
        for (;;) {
          forwards.push(page.rows.map(({ id }) => id));
          if (page.next === null) break;
          page = await listListedPage({ ...list, limit: 5, cursor: cursorOf(page.next) });
        }
        expect(forwards.flat()).toEqual(whole);
        const backwards = [page.rows.map(({ id }) => id)];
        while (page.previous !== null) {
          page = await listListedPage({ ...list, limit: 5, cursor: cursorOf(page.previous) });
          expect(page.next).not.toBeNull();
          backwards.unshift(page.rows.map(({ id }) => id));
        }
        expect(backwards).toEqual(forwards);
        // After an offset page, a cursor continues in both directions.
        const middle = await listListedPage({ ...list, limit: 5, offset: 10 });
        const [after, before] = [middle.next, middle.previous].map((cursor) => cursorOf(cursor ?? ''));
        expect((await listListedPage({ ...list, limit: 5, cursor: after })).rows.map(({ id }) => id)).toEqual(
          forwards[3],
        );
        expect((await listListedPage({ ...list, limit: 5, cursor: before })).rows.map(({ id }) => id)).toEqual(
          forwards[1],
        );
      }
    }
  });

  it('reads every order from its own index without sorting, at a realistic size', async () => {
    const [seller] = await db().select({ id: users.id }).from(users).limit(1);
    const middle = {
      name: 'Site 5',
      price: 25_000,
      traffic: 50_000,
      dr: 50,
      da: 50,
      added: 20_000,
      value: 9_000,
      reliability: 0.5,
    };
    const plans: { sort: SiteSortKey; plan: string }[] = [];
    const rollBack = new Error('as it was');
    // ANALYZE requires the owner of the table.
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
    const asked = drizzle(owner, { casing: 'snake_case' }).transaction(async (tx) => {
      // As many sites wait for review as are listed, with realistically distributed figures.
      await tx.execute(sql`
        insert into sites (owner_id, name, url, url_key, domain, niche, country, language, post_type, dr, da, traffic,
                           figure_sources, reliability, public_price_cents, public_price_usd_cents, status)
        select ${seller?.id ?? ''}, 'Site ' || n, 'https://many' || n || '.example.com', 'many' || n || '.example.com',
               'many' || n || '.example.com', 'Travel', 'USA', 'English', 'Guest posts', nullif(n * 7 % 101, 100), nullif(n * 11 % 101, 100),
               case when n % 50 > 1 then n::bigint * 7919 % 100003 end, ${typedSources}::text::jsonb,
               case when n % 3 > 0 then n * 17 % 1009 / 1009.0 end, n * 13 % 50000 + 100, n * 13 % 50000 + 100,
               (array['Approved', 'Pending'])[n % 2 + 1]
        from generate_series(1, 40000) n`);
      await tx.execute(sql`analyze sites`);
      for (const sort of siteSortKeys) {
        const value = middle[sort];
        const cursors = [undefined, ...(['next', 'previous'] as const).map((toward) => ({ toward, value, id: 7 }))];
        for (const order of ['asc', 'desc'] as const) {
          for (const cursor of cursors) {
            const isBack = cursor?.toward === 'previous';
            for (const { where, orderBy } of getIndexRanges(toListOrder({ sort, order }), cursor, isBack)) {
              const page = sql`select id from ${sites} where ${and(isListed, where)} order by ${orderBy} limit 31`;
              plans.push({ sort, plan: JSON.stringify([...(await tx.execute(sql`explain ${page}`))]) });
            }
          }
        }
      }
      throw rollBack;
    });
    await expect(asked).rejects.toBe(rollBack);
    await owner.end();
    for (const { sort, plan } of plans) {
      expect(plan).toContain(`sites_listed_${sort}_idx`);
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    }
  });

  it('returns the sites of a selection, without unlisted ones', async () => {
    const { rows } = await listListedSites({});
    const gone = catalogue.find(({ deletedAt }) => deletedAt !== null)?.id ?? 0;
    const [first, second] = rows.map(({ id }) => id);
    const found = await listListedSites({ ids: [first ?? 0, second ?? 0, gone, 2_000_000_000] });
    expect(found.rows.map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('parsing a filter', () => {
  it('converts prices in USD to cents', () => {
    expect(sitesQuery.parse({ minPrice: '12.5', maxPrice: '100' })).toMatchObject({
      minPrice: 1_250,
      maxPrice: 10_000,
    });
  });

  it('accepts one value or several of a niche, country and language, without blank and repeated ones', () => {
    expect(sitesQuery.parse({ niche: 'Law, Order', country: ['USA', ' USA ', '', 'India'], language: [''] })).toEqual({
      niche: ['Law, Order'],
      country: ['USA', 'India'],
    });
    for (const niche of ['x'.repeat(101), ['Travel', 'x'.repeat(101)], Array.from({ length: 51 }, String)])
      expect(sitesQuery.safeParse({ niche }).success).toBe(false);
    expect(sitesQuery.safeParse({ postType: ['Guest posts', 'Homepage links'] }).success).toBe(false);
  });

  it('ignores empty fields', () => {
    const form = new URLSearchParams('q=&minDr=&followType=&measured=&owner=&sort=&limit=');
    expect(parseQuery(sitesQuery, form, 'GET')).toEqual({});
    expect(parseSiteFilter((name) => form.getAll(name))).toEqual({ filter: {}, ignored: [] });
  });

  it.each([
    ['minDr', 'abc'],
    ['maxDa', '101'],
    ['minSpam', '-1'],
    ['minTraffic', '1e3'],
    ['maxPrice', '$5'],
    ['followType', 'Maybe'],
    ['measured', 'da'],
    ['owner', '0'],
    ['blocked', '0'],
    ['hideLinked', 'yes'],
    // Without a project.
    ['hideLinked', '1'],
    ['projectId', 'x'.repeat(65)],
    ['sort', 'sellerPriceCents'],
    ['order', 'sideways'],
    ['q', 'x'.repeat(101)],
  ])('rejects %s=%s in the API, and ignores it by name on the page', (name, value) => {
    const issues = sitesQuery.safeParse({ [name]: value }).error?.issues.map(({ message }) => message);
    expect(issues).toEqual([expect.stringMatching(/^Use .*\.$/)]);
    const read = parseSiteFilter((asked) => (asked === name ? [value] : asked === 'niche' ? ['Travel'] : []));
    expect(read).toEqual({ filter: { niche: ['Travel'] }, ignored: [name] });
  });

  it.each(['0', '10001', '1.5', 'all'])('rejects limit=%s', (limit) => {
    expect(sitesQuery.safeParse({ limit }).success).toBe(false);
  });

  it('accepts its own cursors, and rejects invalid ones and those of another list', () => {
    const cursor = { toward: 'next', sort: 'name', order: 'desc', value: 'Żółw % é', id: 4 } as const;
    const text = encodeCursor(cursor);
    expect(text).toMatch(/^[\w-]+$/);
    const list = { sort: 'name', order: 'desc', limit: '10' };
    expect(sitesQuery.parse({ ...list, cursor: text }).cursor).toEqual(cursor);
    const refused = [
      { ...list, cursor: 'nonsense' },
      { ...list, cursor: encodeCursor({ ...cursor, value: 'a\u0000' }) },
      { ...list, cursor: encodeCursor({ ...cursor, value: 5 }) },
      { ...list, cursor: text, order: 'asc' },
      { ...list, cursor: text, offset: '10' },
      { ...list, cursor: text, limit: undefined },
      { limit: '10', cursor: encodeCursor({ ...cursor, sort: 'price', order: 'asc', value: null }) },
    ];
    for (const query of refused) expect(sitesQuery.safeParse(query).success).toBe(false);
  });

  it('rejects more ids than a selection can hold', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');
    expect(sitesQuery.safeParse({ ids: ids(100) }).success).toBe(true);
    expect(sitesQuery.safeParse({ ids: ids(101) }).success).toBe(false);
    expect(sitesQuery.safeParse({ ids: '1,x' }).success).toBe(false);
  });
});
