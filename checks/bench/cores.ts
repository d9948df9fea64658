import { availableParallelism, cpus } from 'node:os';
import type { Lifetime } from '@/scripts/process/lifetime';
import { interleaveRated } from '@/tests/bench/interleave';
import { rateOf } from '@/tests/bench/load';
import { median } from '@/tests/bench/median';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atLeast, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startLinkMarket } from './targets';

const turns = { warmUpMs: 15_000, rounds: 5, sliceMs: 5_000 };
const targets = [
  { name: 'catalog, API, from the database', path: '/api/guest-posts?limit=30&total=none', cacheMb: 0 },
  { name: 'catalog, page of 30 rows', path: '/user/marketplace', cacheMb: 32 },
  { name: 'orders of a buyer, page', path: '/user/orders', cacheMb: 32 },
] as const;

/**
 * Compares one process with one for each core (WEB_CONCURRENCY). The load generator and PostgreSQL share the cores with
 * them, so the report contains how many cores each of the two runs kept busy, and how many of these the generator.
 */
export async function cores(lifetime: Lifetime): Promise<void> {
  const count = availableParallelism();
  if (count < 2) throw new Error('This machine has one core. The comparison needs at least two.');
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, 100_000);
  await buildTargets(lifetime);
  const rows: string[][] = [];
  const bars: Bar[] = [];
  for (const { name, path, cacheMb } of targets) {
    const contestants = [
      { name: 'one', target: await startLinkMarket(lifetime, server, cacheMb, { processes: 1 }) },
      { name: 'all', target: await startLinkMarket(lifetime, server, cacheMb, { processes: count }) },
    ];
    const usages = new Map(contestants.map((one) => [one.name, [] as Usage[]]));
    const rates = await interleaveRated(
      contestants.map((one) => ({
        name: one.name,
        rate: async (sliceMs) => {
          const { rate, usage } = await measure(one.target, path, sliceMs);
          usages.get(one.name)?.push(usage);
          return rate;
        },
      })),
      turns,
    );
    const [one, all] = [rates.get('one') ?? 0, rates.get('all') ?? 0];
    // The first round is the warm-up.
    const usageOf = (contestant: string, key: keyof Usage) =>
      median((usages.get(contestant) ?? []).slice(1).map((usage) => usage[key]));
    const shown = (contestant: string) =>
      `${usageOf(contestant, 'busy').toFixed(2)} (${usageOf(contestant, 'generator').toFixed(2)})`;
    const possible = count / usageOf('one', 'busy');
    const bar = atLeast(`${name}: ratio ÷ highest possible`, all / one / possible, 0.95);
    bars.push(bar);
    const row = [
      ...[name, one.toFixed(0), all.toFixed(0), (all / one).toFixed(2), shown('one'), shown('all')],
      ...[possible.toFixed(2), ...barCells(bar)],
    ];
    process.stdout.write(`${row.join('  ')}\n`);
    rows.push(row);
    for (const { target } of contestants) await target.stop();
  }
  const head = [
    ...['32 connections', 'one process', `${count} processes`, 'ratio', 'busy cores, one (generator)'],
    ...[`busy cores, ${count} (generator)`, 'highest possible ratio', 'share of it', 'bar'],
  ];
  writeReport('cores', {
    text: `Responses per second on ${count} cores, which the load generator and PostgreSQL share with the app. The highest \
possible ratio is that of all cores to those that one process, its database and its load kept busy.

${table(head, rows)}`,
    bars,
  });
}

/** Cores that were busy during a measurement: by all of the machine, and by the load generator. */
type Usage = { busy: number; generator: number };

async function measure({ origin, headers }: BenchTarget, path: string, sliceMs: number) {
  const startedAt = performance.now();
  const own = process.cpuUsage();
  const busyMs = readBusyMs();
  const rate = await rateOf({ url: `${origin}${path}`, headers, connections: 32 }, sliceMs / 1000);
  const { user, system } = process.cpuUsage(own);
  const ms = performance.now() - startedAt;
  return { rate, usage: { busy: (readBusyMs() - busyMs) / ms, generator: (user + system) / 1000 / ms } };
}

/** Returns the time that all cores together have worked since the start of the machine. */
function readBusyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
