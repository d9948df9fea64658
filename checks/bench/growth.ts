import type { Lifetime } from '@/scripts/process/lifetime';
import { interleaveRated } from '@/tests/bench/interleave';
import { rateOf } from '@/tests/bench/load';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atMost, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startBare, startLinkMarket } from './targets';

const sizes = [100_000, 1_000_000] as const;
const connections = 16;
const turns = { warmUpMs: 3_000, rounds: 3, sliceMs: 1_000 };

type Place = { size: number; kind: 'cached' | 'uncached'; contestant: BenchTarget };

/** Measures how much longer the first three queries take with 1,000,000 sites than with 100,000. */
export async function growth(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const { catalogueQueries, statementsOf } = await import('@/tests/bench/catalogue-queries');
  const queries = {
    Q1: catalogueQueries.Q1,
    Q2: `${catalogueQueries.Q2}&total=capped`,
    'Q2, exact total': catalogueQueries.Q2,
    Q3: catalogueQueries.Q3,
    'measured DR': 'measured=dr&limit=30&total=capped',
    'owners by reliability': 'owner=1&sort=reliability&order=desc&limit=30&total=capped',
  };
  const places: Place[] = [];
  for (const size of sizes) {
    const database = await server.addDatabase(`sites_${size}`);
    await seedCatalogue(database.adminUrl, size);
    places.push({ size, kind: 'cached', contestant: await startLinkMarket(lifetime, database, 32) });
    places.push({ size, kind: 'uncached', contestant: await startLinkMarket(lifetime, database, 0) });
  }
  const bare = await startBare(lifetime, 'next', server, server.folder, { Q1: statementsOf(queries.Q1) });

  const rows: string[][] = [];
  const bars: Bar[] = [];
  for (const [name, parameters] of Object.entries(queries)) {
    const constant = {
      name: 'constant',
      rate: (ms: number) => rateOf({ url: `${bare.origin}/constant?bytes=11000`, connections }, ms / 1000),
    };
    const subjects = places.map(({ size, kind, contestant: { origin, headers } }) => ({
      name: `${kind} ${size}`,
      rate: (ms: number) => rateOf({ url: `${origin}/api/guest-posts?${parameters}`, headers, connections }, ms / 1000),
    }));
    const rates = await interleaveRated([constant, ...subjects], turns);
    const of = (contender: string) => rates.get(contender) ?? 0;
    const shown = (contender: string) => Math.round(of(contender)).toLocaleString('en-US');
    const row = [name];
    for (const [kind, source] of [
      ['cached', 'memory'],
      ['uncached', 'the database'],
    ]) {
      const [small, large] = [`${kind} ${sizes[0]}`, `${kind} ${sizes[1]}`];
      const bar = atMost(`${name} from ${source}, 1M ÷ 100k`, of(small) / of(large), 1.5);
      bars.push(bar);
      row.push(shown(small), shown(large), barCells(bar)[0]);
    }
    row.push(shown('constant'));
    process.stdout.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  const head = [
    ...['query', 'memory, 100k', 'memory, 1M', 'times longer (bar 1.5)'],
    ...['database, 100k', 'database, 1M', 'times longer (bar 1.5)', 'bare Next, constant'],
  ];
  const text = `Requests per second at ${connections} connections.\n\n${table(head, rows)}`;
  writeReport('growth', { text, bars });
}
