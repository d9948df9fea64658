import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

// One connection, so that its statistics cover every statement of a call.
vi.hoisted(() => {
  process.env.DATABASE_POOL_MAX = '1';
});

import { db } from '@/db/client';
import { countCap } from '@/db/count-up-to';
import { sites } from '@/db/schema/sites';
import { parseIdCursor } from '@/lib/id-cursor';
import { listManagedCountries, listManagedSites, listSiteOwners } from '@/lib/sites/managed-queries';
import {
  type ManagedSitesFilter,
  type ManagedSitesQuery,
  managedSitesFilter,
  managedSortKeys,
} from '@/lib/sites/managed-schemas';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { blocksOf } from '@/tests/setup/count-blocks';

const siteCount = 60_000;
/** The 8 kB blocks that a full scan of the table reads. */
let tableBlocks = 0;
let lateOwner = '';

beforeAll(async () => {
  await seedCatalogue(process.env.MIGRATION_DATABASE_URL ?? '', siteCount);
  const { userId } = await makeUser('Seller', { name: 'Aaron' });
  await makeSite(userId, 1_000, { country: 'Zimbabwe', niche: 'Rare', postType: 'Rare links', status: 'Rejected' });
  await makeSite(userId, 1_000, { country: 'Atlantis', deletedAt: new Date() });
  lateOwner = userId;
  const [size] = z
    .tuple([z.object({ blocks: z.coerce.number() })])
    .parse([...(await db().execute(sql`select pg_relation_size('sites') / 8192 as blocks`))]);
  tableBlocks = size.blocks;
}, 120_000);

const ask = (filter: Record<string, string>, page: Partial<ManagedSitesQuery> = {}): ManagedSitesQuery => ({
  ...managedSitesFilter.parse(filter),
  sort: { key: 'added', order: 'desc' },
  limit: 50,
  offset: 0,
  ...page,
});

/** Alone, combined, and without a match. */
const filters: [name: string, filter: ManagedSitesFilter][] = [
  ['nothing', {}],
  ['a frequent status', { status: 'Approved' }],
  ['a rare status', { status: 'Rejected' }],
  ['approved sites without a price', { status: 'awaiting-price' }],
  ['a frequent country', { country: 'USA' }],
  ['a rare country', { country: 'Zimbabwe' }],
  ['no such country', { country: 'Nowhere' }],
  ['a frequent niche', { niche: 'Technology' }],
  ['a rare niche', { niche: 'Rare' }],
  ['a frequent post type', { postType: 'Guest posts' }],
  ['a rare post type', { postType: 'Rare links' }],
  ['a rare ownership', { ownership: 'owner' }],
  ['a rare status in a frequent country', { status: 'Rejected', country: 'USA' }],
];

describe('the staff list of 60,000 sites', () => {
  it.each(filters)('reads a small part of the table with %s in the filter', async (_, filter) => {
    expect(await blocksOf(() => listManagedSites(ask({}, filter)))).toBeLessThan(tableBlocks / 4);
  });

  const sorts = managedSortKeys.flatMap((key) => (['asc', 'desc'] as const).map((order) => ({ key, order })));
  it.each(sorts)(
    'reads a bounded part of the table by $key $order, from either end and in the middle',
    async (sort) => {
      const middle = { toward: 'next', id: String(siteCount / 2) } as const;
      // By name, the sites that are not listed are read: a third of the table here.
      for (const cursor of [undefined, middle, { toward: 'last' } as const])
        expect(await blocksOf(() => listManagedSites(ask({}, { sort, cursor })))).toBeLessThan(tableBlocks / 4);
    },
  );

  it.each(['nosuchword', 'heron'])('reads a small part of the table for the word %s', async (q) => {
    // A frequent word is counted up to 1,000 sites.
    expect(await blocksOf(() => listManagedSites(ask({ q })))).toBeLessThan(tableBlocks / 4 + 1_000);
  });

  it('has each site once on its pages, from either end', async () => {
    for (const sort of sorts) {
      const filter = { country: 'Denmark' };
      const first = await listManagedSites(ask(filter, { sort, limit: 10_000 }));
      const whole = first.rows.map(({ id }) => id);
      expect(new Set(whole).size).toBe(first.total);
      const limit = Math.ceil(whole.length / 4);
      let page = await listManagedSites(ask(filter, { sort, limit }));
      const forwards = page.rows.map(({ id }) => id);
      while (page.next) {
        page = await listManagedSites(ask(filter, { sort, limit, cursor: parseIdCursor(page.next) ?? undefined }));
        forwards.push(...page.rows.map(({ id }) => id));
      }
      expect(forwards).toEqual(whole);
      page = await listManagedSites(ask(filter, { sort, limit, cursor: { toward: 'last' } }));
      const backwards = page.rows.map(({ id }) => id);
      while (page.previous) {
        page = await listManagedSites(ask(filter, { sort, limit, cursor: parseIdCursor(page.previous) ?? undefined }));
        backwards.unshift(...page.rows.map(({ id }) => id));
      }
      expect(backwards).toEqual(whole);
    }
  });

  it('reads the filter options without scanning the sites', async () => {
    for (const call of [listManagedCountries, listSiteOwners])
      expect(await blocksOf(() => call())).toBeLessThan(tableBlocks / 10);
    const countries = await listManagedCountries();
    expect(countries).toHaveLength(21);
    expect(countries).toContain('Zimbabwe');
    expect(countries).not.toContain('Atlantis');
    expect((await listSiteOwners()).map(({ name }) => name)).toEqual(['Aaron', 'Bench seller']);
  });

  it('is counted up to ten thousand, and exactly below that', async () => {
    expect(await listManagedSites(ask({}))).toMatchObject({
      total: countCap,
      isCapped: true,
      next: expect.any(String),
    });
    const exact = await db().$count(sites, sql`country = 'Denmark' and deleted_at is null`);
    expect(exact).toBeGreaterThan(50);
    expect(exact).toBeLessThan(countCap);
    const denmark = await listManagedSites(ask({ country: 'Denmark' }));
    expect(denmark).toMatchObject({ total: exact, isCapped: false, next: expect.any(String) });
    expect(denmark.rows).toHaveLength(50);
    expect(await listManagedSites(ask({ userId: lateOwner }))).toMatchObject({
      total: 1,
      isCapped: false,
      next: null,
    });
    expect(await listManagedSites(ask({ country: 'Nowhere' }))).toMatchObject({ rows: [], total: 0, next: null });
  });

  it('ends with its last page, also beyond the counted rows', async () => {
    const last = await listManagedSites(ask({}, { offset: siteCount - 10 }));
    expect(last).toMatchObject({ total: siteCount + 1, isCapped: false, next: null });
    expect(last.rows).toHaveLength(11);
    const before = await listManagedSites(ask({}, { offset: siteCount - 49 }));
    expect(before).toMatchObject({ next: null });
    expect(before.rows).toHaveLength(50);
    const beyond = await listManagedSites(ask({}, { offset: siteCount + 50 }));
    expect(beyond).toMatchObject({ rows: [], total: countCap, isCapped: true, next: null });
  });
});
