import type { Lifetime } from '@/scripts/process/lifetime';
import type { QueryName } from '@/tests/bench/catalogue-queries';
import { interleaveRated } from '@/tests/bench/interleave';
import { rateOf } from '@/tests/bench/load';
import { hasPgbench, pgbenchRate } from '@/tests/bench/pgbench';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atLeast, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startBare, startLinkMarket } from './targets';

const siteCount = 100_000;
const cacheMb = 32;

/**
 * Rates of other servers relative to a bare Next.js route with the same SQL. Each was measured once in the same run as
 * that route, on the same 100,000 sites at 16 connections. They are not part of this run, so they indicate orders of
 * magnitude only.
 */
const peers: Record<QueryName, readonly [postgraphile: number, payload: number, directus: number, strapi: number]> = {
  Q1: [1.87, 0.53, 0.35, 0.29],
  Q2: [1.13, 0.61, 0.42, 0.27],
  Q3: [1.16, 0.72, 0.63, 0.39],
  Q4: [1.14, 0.3, 0.46, 0.41],
  Q5: [0.43, 0.12, 0.59, 0.15],
};

/** Of the rates at 16 connections to those of a bare Next.js route: one of as many bytes, and one with the same SQL. */
const limits = { memory: 0.7, database: 1 };

const turns = { warmUpMs: 3_000, rounds: 5, sliceMs: 1_000 };

/**
 * Compares GET /api/guest-posts as a buyer on 100,000 sites with bare Next.js, bare node:http and the database alone.
 */
export async function catalogue(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, siteCount);
  await buildTargets(lifetime);
  const { catalogueQueries, inlined, queryNames, queryTitles, statementsOf } = await import(
    '@/tests/bench/catalogue-queries'
  );
  const statements = Object.fromEntries(queryNames.map((name) => [name, statementsOf(catalogueQueries[name])]));
  const cached = await startLinkMarket(lifetime, server, cacheMb);
  const uncached = await startLinkMarket(lifetime, server, 0);
  const bareNext = await startBare(lifetime, 'next', server, server.folder, statements);
  const bareNode = await startBare(lifetime, 'node', server, server.folder, statements);
  const withPgbench = await hasPgbench();

  const chain: string[][] = [];
  const bars: Bar[] = [];
  const measure = async (name: QueryName, connections: number): Promise<string[]> => {
    const path = `/api/guest-posts?${catalogueQueries[name]}`;
    const bytes = await fetchLength(cached, path);
    const at = (contestant: BenchTarget, address: string) => (sliceMs: number) =>
      rateOf({ url: `${contestant.origin}${address}`, headers: contestant.headers, connections }, sliceMs / 1000);
    const { list, count } = statementsOf(catalogueQueries[name]);
    const scripts = (count ? [list, count] : [list]).map(inlined);
    const rates = await interleaveRated(
      [
        { name: 'constant', rate: at(bareNext, `/constant?bytes=${bytes}`) },
        { name: 'cached', rate: at(cached, path) },
        { name: 'same SQL', rate: at(bareNext, `/sql/${name}`) },
        { name: 'uncached', rate: at(uncached, path) },
        { name: 'node', rate: at(bareNode, `/sql/${name}`) },
        ...(withPgbench
          ? [
              {
                name: 'pgbench',
                rate: (sliceMs: number) =>
                  pgbenchRate(server.folder, server.appUrl, scripts, connections, sliceMs / 1000),
              },
            ]
          : []),
      ],
      turns,
    );
    const of = (contender: string) => rates.get(contender) ?? 0;
    const where = `${name}, ${connections} connections`;
    const memory = atLeast(`${where}: from memory ÷ constant`, of('cached') / of('constant'), limits.memory);
    const database = atLeast(
      `${where}: from the database ÷ same SQL`,
      of('uncached') / of('same SQL'),
      limits.database,
    );
    if (connections === 16) {
      bars.push(memory, database);
      const ours = [of('cached') / of('same SQL'), of('uncached') / of('same SQL')];
      chain.push([name, ...[...ours, ...peers[name]].map((ratio) => ratio.toFixed(2))]);
    }
    const shown = (contender: string) => Math.round(of(contender)).toLocaleString('en-US');
    return [
      `${name}, ${connections}`,
      shown('cached'),
      shown('constant'),
      barCells(memory)[0],
      shown('uncached'),
      shown('same SQL'),
      barCells(database)[0],
      shown('node'),
      withPgbench ? shown('pgbench') : '–',
    ];
  };

  const rows: string[][] = [];
  for (const name of queryNames) {
    for (const connections of name === 'Q5' ? [16] : [16, 1]) {
      const row = await measure(name, connections);
      process.stdout.write(`${row.join('  ')}\n`);
      rows.push(row);
    }
  }
  const head = [
    ...['query, connections', 'from memory', 'bare Next, constant', `ratio (bar ${limits.memory})`],
    ...['from the database', 'bare Next, same SQL', `ratio (bar ${limits.database})`, 'bare node:http', 'pgbench'],
  ];
  const titles = queryNames.map((name) => `${name}: ${queryTitles[name]}`).join('; ');
  const peerHead = [
    'query',
    'from memory',
    'from the database',
    'PostGraphile 5',
    'Payload 3',
    'Directus 12',
    'Strapi 5',
  ];
  writeReport('catalogue', {
    text: `${siteCount.toLocaleString('en-US')} sites; requests per second after a warm-up. The bars are for 16 connections. ${titles}.

${table(head, rows)}

Rates relative to a bare Next route with the same SQL (= 1), at 16 connections. The last four columns were measured in another run, relative to the same route.

${table(peerHead, chain)}`,
    bars,
  });
}

async function fetchLength({ origin, headers }: BenchTarget, path: string): Promise<number> {
  const response = await fetch(`${origin}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
  return (await response.arrayBuffer()).byteLength;
}
