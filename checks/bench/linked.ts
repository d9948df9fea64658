import type { Lifetime } from '@/scripts/process/lifetime';
import { interleave } from '@/tests/bench/interleave';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { linkedCount, orderCount, seedLinked } from '@/tests/bench/seed-linked';
import { atMost, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

const siteCount = 100_000;
const turns = { workers: 2, rounds: 5, sliceMs: 1_000 };

const queries = {
  'first page by price': 'limit=30&total=none',
  'the same with a capped count': 'limit=30&total=capped',
  'a rare filter by traffic, capped count':
    'country=USA&niche=Technology&minDr=50&sort=traffic&order=desc&limit=30&total=capped',
};

/**
 * Compares a page of the catalog for a project with the same page without one, both read from the database: with a million
 * linked domains, and with a hundred thousand orders.
 */
export async function linked(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, siteCount);
  const projects = await seedLinked(server.adminUrl, siteCount);
  const { countListed, listListedPage } = await import('@/lib/sites/catalogue/listed-sites');
  const { buildBuyerCondition, markLinked, toSharedQuery } = await import('@/lib/sites/catalogue/personal');
  const { sitesQuery } = await import('@/lib/sites/catalogue/schemas');

  const rows: string[][] = [];
  const bars: Bar[] = [];
  for (const [name, parameters] of Object.entries(queries)) {
    const read = (more: Record<string, string>) => async () => {
      const query = sitesQuery.parse({ ...Object.fromEntries(new URLSearchParams(parameters)), ...more });
      const also = buildBuyerCondition(query, { accountId: '', hasBlocks: false });
      const shared = toSharedQuery(query);
      const [page] = await Promise.all([
        listListedPage(shared, also),
        query.total === 'none' ? null : countListed(shared, 'capped', also),
      ]);
      return markLinked(page.rows, query);
    };
    const subjects = [
      { name: 'plain', run: read({}) },
      ...Object.entries(projects).flatMap(([kind, projectId]) => [
        { name: `${kind}, marked`, run: read({ projectId }) },
        { name: `${kind}, hidden`, run: read({ projectId, hideLinked: '1' }) },
      ]),
    ];
    const rates = await interleave(subjects, turns);
    const plain = rates.get('plain') ?? 0;
    const ratios = subjects
      .slice(1)
      .map((subject) => atMost(`${name}; ${subject.name}`, plain / (rates.get(subject.name) ?? 0), 1.5));
    bars.push(...ratios);
    rows.push([name, `${Math.round(plain).toLocaleString('en-US')}/s`, ...ratios.map((bar) => barCells(bar)[0])]);
    process.stdout.write(`${rows.at(-1)?.join('  ')}\n`);
  }
  const head = ['query', 'plain'];
  for (const kind of ['half link', 'the cheapest 90 % link', 'ordered'])
    head.push(`${kind}: marked`, `${kind}: hidden`);
  writeReport('linked', {
    text: `${siteCount.toLocaleString('en-US')} sites from the database, ${linkedCount.toLocaleString('en-US')} linked domains or ${orderCount.toLocaleString('en-US')} orders in a project. The cost of a page relative to the plain one; both are read from the database, with the same count. The bar is 1.5.\n\n${table(head, rows)}`,
    bars,
  });
}
