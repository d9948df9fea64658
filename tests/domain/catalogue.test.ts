import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { catalogueStamps } from '@/db/schema/catalogue';
import { checkouts, orderStatuses, orders } from '@/db/schema/orders';
import { type PlacementState, placementStates } from '@/db/schema/placements';
import { blockedDomains, projectLinkedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { findLinked } from '@/lib/projects/linked-domains/find-linked';
import { openCatalogue } from '@/lib/sites/catalogue/catalogue';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { countByFilter } from '@/lib/sites/catalogue/filter-counts';
import { catalogueState, parseCatalogueState } from '@/lib/sites/catalogue/personal';
import {
  listListedSites,
  respondWithCatalogue,
  respondWithStaffList,
} from '@/lib/sites/catalogue/respond-with-catalogue';
import { type SitesQuery, sitesQuery } from '@/lib/sites/catalogue/schemas';
import { countForViewer, getMarketplaceData, listForViewer } from '@/lib/sites/preferences/marketplace';
import type { Linked } from '@/lib/sites/responses';
import { publicSiteView } from '@/lib/sites/views';
import { propertyRuns } from '@/scripts/testing/tier';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
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
const caller = { ...personalAccount(newId()), userId: '', requestId: '' };
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

/** The sites of the property test, one domain with two listings, and how often its records are drawn. */
const domains = ['one.example', 'two.example', 'three.example', 'four.example', 'four.example', 'five.example'];
const linkedRow = fc.record({
  domain: fc.constantFrom(...new Set(domains), 'elsewhere.example'),
  source: fc.constantFrom('gsc' as const, 'ahrefs' as const, 'moz' as const),
  state: fc.constantFrom('live' as const, 'lost' as const, 'unknown' as const),
  seenOn: fc.constantFrom(null, '2020-01-01', '2026-01-01', '2026-02-01'),
});
const orderRow = fc.record({
  site: fc.nat({ max: domains.length - 1 }),
  status: fc.constantFrom(...orderStatuses),
  isPublished: fc.boolean(),
  isDeleted: fc.boolean(),
});
const buyersData = fc.record({
  linked: fc.uniqueArray(linkedRow, { maxLength: 8, selector: ({ domain, source }) => `${domain} ${source}` }),
  orders: fc.array(orderRow, { maxLength: 4 }),
  blocked: fc.subarray([...new Set(domains)]),
  blockedByProject: fc.subarray([...new Set(domains)]),
});
type BuyersData = typeof buyersData extends fc.Arbitrary<infer Value> ? Value : never;

describe('the catalogue of a buyer', () => {
  const niche = 'Buyer test';
  const listed: { id: number; domain: string }[] = [];
  let other: Actor;
  beforeAll(async () => {
    other = await makeUser();
    for (const [index, domain] of domains.entries()) {
      const urlKey = `${domain}/${index}`;
      const id = await makeSite(ownerId, 1_000 + index, { niche, url: `https://${urlKey}`, urlKey });
      listed.push({ id, domain });
    }
  });

  async function store(data: BuyersData): Promise<{ buyer: Actor; projectId: string }> {
    const buyer = await makeUser();
    const projectId = await makeProject(buyer);
    const [foreign, otherProject] = [await makeProject(other), await makeProject(buyer)];
    const rows = data.linked.map((row) => ({ ...row, projectId }));
    if (rows.length > 0) await db().insert(projectLinkedDomains).values(rows);
    await db()
      .insert(projectLinkedDomains)
      .values([foreign, otherProject].map((id) => ({ ...linkOf('one.example'), projectId: id })));
    await db().insert(checkouts).values({ id: projectId, accountId: buyer.userId, requestHash: '', totalCents: 0 });
    for (const { site, status, isPublished, isDeleted } of data.orders)
      await db()
        .insert(orders)
        .values({
          ...{
            accountId: buyer.userId,
            orderedBy: buyer.userId,
            checkoutId: projectId,
            projectId,
            kind: 'custom',
            siteId: listed[site]?.id ?? 0,
          },
          ...{ priceCents: 100, currency: 'USD', usdMicrosPerUnit: 1_000_000, chargedCents: 100, status },
          ...{ projectDomain: '', projectTargetUrl: '', projectKeywords: '' },
          linkUrl: isPublished ? 'https://site.example/page' : '',
          deletedAt: isDeleted ? new Date() : null,
        });
    const blocks = [
      ...data.blocked.map((domain) => ({ accountId: buyer.userId, domain })),
      ...data.blockedByProject.map((domain) => ({ accountId: buyer.userId, domain, projectId })),
    ];
    if (blocks.length > 0) await db().insert(blockedDomains).values(blocks);
    return { buyer, projectId };
  }

  const linkOf = (domain: string) => ({ domain, source: 'list' as const, state: 'live' as const, seenOn: null });

  /** What links, by a plain model. */
  function linkedIn({ linked, orders: own }: BuyersData, domain: string): Linked {
    // A row without a day was seen when it was imported, which is now.
    const newest = linked
      .filter((row) => row.domain === domain)
      .map((row) => ({ ...row, day: row.seenOn ?? '9999' }))
      .sort((a, b) => (a.day === b.day ? (a.state < b.state ? -1 : 1) : a.day > b.day ? -1 : 1))[0];
    const states = own
      .filter(({ site, isDeleted }) => domains[site] === domain && !isDeleted)
      .filter(({ status }) => status !== 'Refunded' && status !== 'Rejected')
      .map(({ isPublished }): Linked => (isPublished ? 'live' : 'ordered'));
    if (newest) states.push(newest.state === 'lost' ? 'lost' : 'live');
    return (['live', 'ordered', 'lost'] as const).find((state) => states.includes(state)) ?? null;
  }

  it('marks, hides and leaves out the sites as a plain model does, in the API, on the page and in the counts', async () => {
    await fc.assert(
      fc.asyncProperty(buyersData, async (data) => {
        const { buyer, projectId } = await store(data);
        const [found] = await db()
          .select({ state: catalogueState })
          .from(users)
          .innerJoin(accountMembers, eq(accountMembers.userId, users.id))
          .where(eq(users.id, buyer.userId));
        const state = parseCatalogueState(found?.state ?? null);
        expect(state.hasBlocks).toBe(data.blocked.length + data.blockedByProject.length > 0);
        const { hasBlocks } = await getMarketplaceData(buyer);
        expect(hasBlocks).toBe(state.hasBlocks);
        for (const more of [
          {},
          { projectId },
          { projectId, hideLinked: '1' },
          { projectId, hideLinked: '0', total: 'capped' },
          { blocked: '1' },
          { projectId, blocked: '1' },
          { projectId, ids: listed.map(({ id }) => id).join() },
        ]) {
          const query = sitesQuery.parse({ niche, ...('ids' in more ? {} : { limit: '10' }), ...more });
          const inProject = 'projectId' in more;
          const isBlocked = (domain: string) =>
            data.blocked.includes(domain) || (inProject && data.blockedByProject.includes(domain));
          const expected = listed
            .filter(({ domain }) => 'ids' in more || isBlocked(domain) === 'blocked' in more)
            .map(({ id, domain }) => ({ id, ...(inProject && { linked: linkedIn(data, domain) }) }))
            .filter(({ linked }) => query.hideLinked !== '1' || linked === null);
          const sent = await respondWithCatalogue({ ...buyer, requestId: '' }, query, new Headers(), state);
          const etag = sent.headers.get('etag') ?? '';
          const rows: { id: number; linked?: Linked }[] = await sent.json();
          const seen = (row: { id: number; linked?: Linked }) => ({
            id: row.id,
            ...(row.linked !== undefined && { linked: row.linked }),
          });
          expect([more, rows.map(seen)]).toEqual([more, expected]);
          if (!('ids' in more)) {
            expect(sent.headers.get('x-total-count')).toBe(String(expected.length));
            const viewer = { accountId: buyer.userId, hasBlocks, show: 'all' as const };
            const page = await listForViewer(await openCatalogue(), query, viewer, 0);
            expect([page.rows.map(seen), page.total]).toEqual([expected, expected.length]);
            expect((await countForViewer(query, viewer)).total).toBe(expected.length);
            expect((await countByFilter(query, viewer, state.version)).sites).toBe(expected.length);
          }
          const again = await respondWithCatalogue(
            { ...buyer, requestId: '' },
            query,
            new Headers({ 'if-none-match': etag }),
            state,
          );
          expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, no-cache']);
          // A caller without a project and a block list never receives what another one caused to be cached.
          if (!inProject && !('blocked' in more))
            expect(await (await ask(query)).json()).toEqual(listed.map(({ id }) => expect.objectContaining({ id })));
        }
      }),
      { numRuns: propertyRuns(12) },
    );
  });

  it('has no project of another user', async () => {
    const projectId = await makeProject(other);
    for (const more of [{}, { hideLinked: '1' as const }, { limit: 5 }])
      await expect(ask({ projectId, ...more })).rejects.toMatchObject({ code: 'not_found' });
    await expect(respondWithStaffList(await makeUser('Admin'), { projectId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is that of staff with marks and filters, and with what they block', async () => {
    const admin = await makeUser('Admin');
    const projectId = await makeProject(admin);
    await db()
      .insert(projectLinkedDomains)
      .values({ ...linkOf('two.example'), projectId });
    await db().insert(blockedDomains).values({ accountId: admin.userId, domain: 'three.example' });
    const seen = async (query: SitesQuery) => {
      const rows: { url: string; linked?: Linked }[] = await (
        await respondWithStaffList(admin, { niche: [niche], ...query })
      ).json();
      return rows.map(({ url, linked }) => [new URL(url).host, linked]);
    };
    expect(await seen({ projectId, limit: 3 })).toEqual([
      ['one.example', null],
      ['two.example', 'live'],
      ['three.example', null],
    ]);
    expect(await seen({ blocked: '1' })).toEqual([['three.example', undefined]]);
    expect((await seen({ projectId, hideLinked: '1' })).map(([host]) => host)).not.toContain('two.example');
  });

  it('counts own orders by the state of their placement', async () => {
    const buyer = await makeUser();
    const expected: Record<PlacementState, Linked> = {
      ...{ offered: 'ordered', accepted: 'ordered', delivered: 'ordered', in_revision: 'ordered' },
      ...{ disputed: 'ordered', taken_over: 'ordered', approved: 'live', closed: 'live', lost: 'lost' },
      ...{ declined: null, expired: null, cancelled: null, settled: 'ordered' },
    };
    const found: Record<string, Linked> = {};
    for (const state of placementStates) {
      const projectId = await makeProject(buyer);
      const { id } = await makePlacement(state, { buyer, projectId });
      const [site] = await db()
        .select({ domain: sites.domain })
        .from(orders)
        .innerJoin(sites, eq(sites.id, orders.siteId))
        .where(eq(orders.id, id));
      found[state] = (await findLinked(projectId, [site?.domain ?? ''])).get(site?.domain ?? '') ?? null;
    }
    expect(found).toEqual(expected);
  });
});
