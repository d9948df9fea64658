import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { catalogueStamps } from '@/db/schema/catalogue';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { openCatalogue } from '@/lib/sites/catalogue/catalogue';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { listListedSites, respondWithCatalogue } from '@/lib/sites/catalogue/respond-with-catalogue';
import { type SitesQuery, sitesQuery } from '@/lib/sites/catalogue/schemas';
import { publicSiteView } from '@/lib/sites/views';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeSite, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let ownerId = '';
const ids: number[] = [];

beforeAll(async () => {
  ownerId = (await makeUser('Seller')).userId;
  for (let index = 0; index < 12; index++) {
    ids.push(await makeSite(ownerId, 1_000 + 100 * index, { name: `site ${index} garden`, country: `C${index % 3}` }));
  }
});

const idAt = (index: number) => ids[index % ids.length] ?? 0;
const setPrice = (id: number, cents: number) =>
  db().update(sites).set({ publicPriceCents: cents, publicPriceUsdCents: cents }).where(eq(sites.id, id));
const caller = { userId: newId(), requestId: '' };
const ask = async (query: SitesQuery, headers: Record<string, string> = {}) =>
  respondWithCatalogue(caller, query, new Headers(headers), {
    version: await getCatalogueVersion(),
    hasBlocks: false,
  });
const views = z.array(z.looseObject({ id: z.number(), priceUsd: z.number() }));

function signal(): { given: Promise<void>; give: () => void } {
  let resolver: (() => void) | undefined;
  const given = new Promise<void>((resolve) => {
    resolver = resolve;
  });
  return { given, give: () => resolver?.() };
}

describe('the catalogue version', () => {
  it.each([
    ['a site goes on sale', () => makeSite(ownerId, 5_000)],
    ['a listed site changes', () => setPrice(idAt(0), 1_001)],
    [
      'one is withdrawn',
      () =>
        db()
          .update(sites)
          .set({ status: 'Rejected' })
          .where(eq(sites.id, idAt(11))),
    ],
    [
      'one is listed again',
      () =>
        db()
          .update(sites)
          .set({ status: 'Approved' })
          .where(eq(sites.id, idAt(11))),
    ],
    [
      'a row is deleted',
      async () =>
        db()
          .delete(sites)
          .where(eq(sites.id, await makeSite(ownerId, 5_000))),
    ],
    ['rows are inserted by COPY or SQL', () => db().execute(sql`update sites set words = 3 where id = ${idAt(1)}`)],
  ])('increases when %s', async (_, write) => {
    const before = await getCatalogueVersion();
    await write();
    expect(await getCatalogueVersion()).not.toBe(before);
  });

  it('is unchanged when only unlisted sites change, or a write is rolled back', async () => {
    const pending = await makeSite(ownerId, 5_000, { status: 'Pending' });
    const before = await getCatalogueVersion();
    await makeSite(ownerId, 5_000, { status: 'Pending' });
    await db().update(sites).set({ words: 9 }).where(eq(sites.id, pending));
    const undone = db().transaction(async (tx) => {
      await tx
        .update(sites)
        .set({ words: 9 })
        .where(eq(sites.id, idAt(0)));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await getCatalogueVersion()).toBe(before);
  });

  it('increases with each commit of concurrent writers, which never wait for each other', async () => {
    const versions = [await getCatalogueVersion()];
    const begin = (id: number) => {
      const [wrote, mayCommit] = [signal(), signal()];
      const done = db().transaction(async (tx) => {
        await tx.update(sites).set({ words: 12 }).where(eq(sites.id, id));
        wrote.give();
        await mayCommit.given;
      });
      const commit = () => {
        mayCommit.give();
        return done;
      };
      return { written: wrote.given, commit };
    };
    const writers = [begin(idAt(2)), begin(idAt(3)), begin(idAt(4))];
    // Would never end if the second had to wait for the first.
    await Promise.all(writers.map(({ written }) => written));
    expect(await getCatalogueVersion()).toBe(versions[0]);
    for (const { commit } of writers.reverse()) {
      await commit();
      versions.push(await getCatalogueVersion());
    }
    expect(new Set(versions).size).toBe(4);
  });

  it('needs at most as many stamps as there were concurrent writers', async () => {
    for (let index = 0; index < 20; index++) await setPrice(idAt(index), 2_000 + index);
    expect((await db().select().from(catalogueStamps)).length).toBeLessThanOrEqual(10);
  });
});

describe('a cached response', () => {
  it('equals the database byte for byte after any sequence of writes and reads', async () => {
    const write = fc.record({ site: fc.nat({ max: 11 }), cents: fc.integer({ min: 1, max: 5_000 }) });
    const question = fc.constantFrom<Record<string, string>>(
      {},
      { limit: '3' },
      { limit: '3', offset: '3', total: 'capped' },
      { q: 'Garden', limit: '5', sort: 'dr', order: 'desc' },
      { q: ' garden ', limit: '5', sort: 'dr', order: 'desc', niche: '' },
      { country: 'C1', limit: '2', total: 'none' },
      { country: 'C2', limit: '2' },
      { limit: '4', sort: 'value', order: 'desc' },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(write, question), { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const step of steps) {
          if ('cents' in step) {
            await setPrice(idAt(Number(step.site)), Number(step.cents));
            continue;
          }
          const query = sitesQuery.parse(step);
          const answer = await ask(query);
          const fresh = await listListedSites(query);
          expect(await answer.text()).toBe(JSON.stringify(fresh.rows.map(publicSiteView)));
          const total = query.limit === undefined || query.total === 'none' ? null : String(fresh.total);
          expect(answer.headers.get('x-total-count')).toBe(total);
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('is never older than a write that ended before the request', async () => {
    let committed = 10_000;
    const floors: boolean[] = [];
    let isOver = false;
    await setPrice(idAt(5), committed);
    const reader = async (query: SitesQuery) => {
      while (!isOver) {
        const floor = committed;
        const rows = views.parse(await (await ask(query)).json());
        const seen = Math.round((rows.find(({ id }) => id === idAt(5))?.priceUsd ?? 0) * 100);
        floors.push(seen >= floor);
      }
    };
    const writer = async () => {
      for (let cents = 10_001; cents <= 10_150; cents++) {
        await setPrice(idAt(5), cents);
        committed = cents;
      }
      isOver = true;
    };
    const byPrice: SitesQuery = { sort: 'price', order: 'desc', limit: 5 };
    // Concurrent writes must not hide this one.
    const noise = async () => {
      while (!isOver)
        await db()
          .update(sites)
          .set({ words: 1 })
          .where(eq(sites.id, idAt(6)));
    };
    await Promise.all([writer(), noise(), ...[byPrice, byPrice, {}, { ids: [idAt(5)] }].map(reader)]);
    expect(floors.length).toBeGreaterThan(100);
    expect(floors.filter((isFresh) => !isFresh)).toEqual([]);
  });

  it('returns 304 until its contents change, whatever else is written', async () => {
    const query: SitesQuery = { country: ['C1'], limit: 10 };
    // The property test above leaves random prices, which can equal the one set below.
    await setPrice(idAt(1), 3_332);
    const first = await ask(query);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    await setPrice(idAt(2), 3_333);
    const again = await ask(query, { 'if-none-match': `"other", ${etag}` });
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
    expect(again.headers.get('etag')).toBe(etag);
    await setPrice(idAt(1), 3_334);
    const changed = await ask(query, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('has another ETag when only the total changed', async () => {
    const query: SitesQuery = { sort: 'price', order: 'asc', limit: 1 };
    await setPrice(idAt(7), 1);
    const before = (await ask(query)).headers.get('etag');
    await makeSite(ownerId, 9_999);
    expect((await ask(query)).headers.get('etag')).not.toBe(before);
  });
});

describe('the opened catalogue', () => {
  it('counts up to a thousand and reports that there are more', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      ownerId,
      name: `crowd ${index}`,
      url: `https://crowd${index}.example.com`,
      urlKey: `crowd${index}.example.com`,
      status: 'Approved' as const,
      niche: index < 1_000 ? 'Full' : 'Over',
      publicPriceCents: 100,
      publicPriceUsdCents: 100,
    }));
    await db().insert(sites).values(many.map(withFacts));
    const catalogue = await openCatalogue();
    expect(await catalogue.count({ q: 'crowd' }, 'capped')).toEqual({ total: 1_000, isCapped: true });
    expect(await catalogue.count({ q: 'crowd' }, 'exact')).toEqual({ total: 1_001, isCapped: false });
    expect(await catalogue.count({ niche: ['Full'] }, 'capped')).toEqual({ total: 1_000, isCapped: false });
    const answer = await ask({ q: 'crowd', limit: 1, total: 'capped' });
    expect(answer.headers.get('x-total-count')).toBe('1000');
    expect(answer.headers.get('x-total-capped')).toBe('true');
  });

  it('contains the countries and languages of listed sites only', async () => {
    await makeSite(ownerId, 5_000, { country: 'Ålandia', language: 'Swedish' });
    await makeSite(ownerId, 5_000, { country: 'Hidden', language: 'Secret', status: 'Pending' });
    const { countries, languages } = await (await openCatalogue()).facets();
    expect(countries).toEqual(['C0', 'C1', 'C2', 'USA', 'Ålandia']);
    expect(languages).toEqual(['English', 'Swedish']);
  });
});
