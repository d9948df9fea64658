import { takeTurns } from '../../tests/bench/interleave';
import { rateOf } from '../../tests/bench/load';
import { seedCatalogue } from '../../tests/bench/seed-catalogue';
import type { Lifetime } from '../process/lifetime';
import { buildContestants, startBare, startLinkMarket } from './contestants';
import { startBenchServer } from './database';
import { table, writeReport } from './report';

const sizes = [100_000, 1_000_000] as const;
const connections = 16;
const turns = { rounds: 3, sliceMs: 1_000 };

/** How much longer the first three questions take at a million sites than at a hundred thousand. */
export async function growth(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildContestants(lifetime);
  const { catalogueQueries, statementsOf } = await import('../../tests/bench/catalogue-queries');
  const asked = {
    Q1: catalogueQueries.Q1,
    Q2: `${catalogueQueries.Q2}&total=capped`,
    'Q2, exact total': catalogueQueries.Q2,
    Q3: catalogueQueries.Q3,
  };
  const statements = { Q1: statementsOf(asked.Q1) };
  const at = new Map<number, { cached: string; uncached: string; headers: Record<string, Record<string, string>> }>();
  for (const size of sizes) {
    const database = await server.addDatabase(`sites_${size}`);
    await seedCatalogue(database.adminUrl, size);
    const cached = await startLinkMarket(lifetime, database, 32);
    const uncached = await startLinkMarket(lifetime, database, 0);
    at.set(size, {
      cached: cached.origin,
      uncached: uncached.origin,
      headers: { cached: cached.headers, uncached: uncached.headers },
    });
  }
  const bare = await startBare(lifetime, 'next', server, server.folder, statements);

  const rows: string[][] = [];
  for (const [name, parameters] of Object.entries(asked)) {
    const contenders = (['cached', 'uncached'] as const).flatMap((kind) =>
      sizes.map((size) => ({
        name: `${kind} ${size}`,
        rate: (sliceMs: number) => {
          const place = at.get(size);
          const url = `${place?.[kind]}/api/guest-posts?${parameters}`;
          return rateOf({ url, headers: place?.headers[kind], connections }, sliceMs / 1000);
        },
      })),
    );
    const constant = {
      name: 'constant',
      rate: (sliceMs: number) => rateOf({ url: `${bare.origin}/constant?bytes=11000`, connections }, sliceMs / 1000),
    };
    const rates = await takeTurns([constant, ...contenders], turns);
    const of = (contender: string) => rates.get(contender) ?? 0;
    const row = [name];
    for (const kind of ['cached', 'uncached']) {
      const [small, large] = sizes.map((size) => of(`${kind} ${size}`));
      row.push(...[small ?? 0, large ?? 0].map((rate) => Math.round(rate).toLocaleString('en-US')));
      row.push(`**${((small ?? 0) / (large ?? 1)).toFixed(2)}**`);
    }
    row.push(Math.round(of('constant')).toLocaleString('en-US'));
    process.stdout.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  const head = [
    ...['query', 'memory, 100k', 'memory, 1M', 'times longer (bar 1.5)'],
    ...['database, 100k', 'database, 1M', 'times longer (bar 1.5)', 'bare Next, constant'],
  ];
  writeReport('growth', `Requests a second at ${connections} connections.\n\n${table(head, rows)}`);
}
