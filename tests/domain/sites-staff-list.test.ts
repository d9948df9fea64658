import { type SQLWrapper, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import {
  listManagedCountries,
  listManagedSites,
  listSiteOwners,
  managedCountCap,
  managedStatements,
} from '@/lib/sites/managed-queries';
import { type ManagedSitesFilter, type ManagedSitesQuery, managedSitesFilter } from '@/lib/sites/managed-schemas';
import { seedCatalogue } from '../bench/seed-catalogue';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';

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

const plans = z.tuple([
  z.object({
    'QUERY PLAN': z.tuple([
      z.object({ Plan: z.looseObject({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() }) }),
    ]),
  }),
]);

/** Runs a statement and returns the blocks it read and its plan. */
async function cost(statement: SQLWrapper): Promise<{ blocks: number; plan: string }> {
  const answer = await db().execute(sql`explain (analyze, buffers, format json) ${statement.getSQL()}`);
  const [
    {
      'QUERY PLAN': [{ Plan: plan }],
    },
  ] = plans.parse([...answer]);
  return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], plan: JSON.stringify(plan) };
}

/** Alone, combined, and without a match. */
const filters: [name: string, filter: ManagedSitesFilter][] = [
  ['nothing', {}],
  ['a frequent status', { status: 'Approved' }],
  ['a rare status', { status: 'Rejected' }],
  ['a frequent country', { country: 'USA' }],
  ['a rare country', { country: 'Zimbabwe' }],
  ['no such country', { country: 'Nowhere' }],
  ['a frequent niche', { niche: 'Technology' }],
  ['a rare niche', { niche: 'Rare' }],
  ['a frequent post type', { postType: 'Guest posts' }],
  ['a rare post type', { postType: 'Rare links' }],
  ['a rare status in a frequent country', { status: 'Rejected', country: 'USA' }],
];

describe('the staff list of 60,000 sites', () => {
  it.each(filters)('reads a small part of the table with %s in the filter', async (_, filter) => {
    for (const statement of [managedStatements.page(ask({}, filter)), managedStatements.count(filter)]) {
      const { blocks, plan } = await cost(statement);
      expect(blocks, plan).toBeLessThan(tableBlocks / 4);
    }
  });

  it('reads the filter options without scanning the sites', async () => {
    for (const statement of [managedStatements.countries(), managedStatements.owners()]) {
      const { blocks, plan } = await cost(statement);
      expect(blocks, plan).toBeLessThan(tableBlocks / 10);
      expect(plan).not.toContain('Seq Scan');
    }
    const countries = await listManagedCountries();
    expect(countries).toHaveLength(21);
    expect(countries).toContain('Zimbabwe');
    expect(countries).not.toContain('Atlantis');
    expect((await listSiteOwners()).map(({ name }) => name)).toEqual(['Aaron', 'Bench seller']);
  });

  it('is counted up to ten thousand, and exactly below that', async () => {
    expect(await listManagedSites(ask({}))).toMatchObject({ total: managedCountCap, isCapped: true, hasMore: true });
    const exact = await db().$count(sites, sql`country = 'Denmark' and deleted_at is null`);
    expect(exact).toBeGreaterThan(50);
    expect(exact).toBeLessThan(managedCountCap);
    const denmark = await listManagedSites(ask({ country: 'Denmark' }));
    expect(denmark).toMatchObject({ total: exact, isCapped: false, hasMore: true });
    expect(denmark.rows).toHaveLength(50);
    expect(await listManagedSites(ask({ userId: lateOwner }))).toMatchObject({
      total: 1,
      isCapped: false,
      hasMore: false,
    });
    expect(await listManagedSites(ask({ country: 'Nowhere' }))).toMatchObject({ rows: [], total: 0, hasMore: false });
  });

  it('ends with its last page, also beyond the counted rows', async () => {
    const last = await listManagedSites(ask({}, { offset: siteCount - 10 }));
    expect(last).toMatchObject({ total: siteCount + 1, isCapped: false, hasMore: false });
    expect(last.rows).toHaveLength(11);
    const before = await listManagedSites(ask({}, { offset: siteCount - 49 }));
    expect(before).toMatchObject({ hasMore: false });
    expect(before.rows).toHaveLength(50);
    const beyond = await listManagedSites(ask({}, { offset: siteCount + 50 }));
    expect(beyond).toMatchObject({ rows: [], total: managedCountCap, isCapped: true, hasMore: false });
  });
});
