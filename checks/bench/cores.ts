import { availableParallelism } from 'node:os';
import type { Lifetime } from '@/scripts/process/lifetime';
import { rateOf } from '@/tests/bench/load';
import { median } from '@/tests/bench/median';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atLeast, atMost, type Bar } from './bars';
import { readBusyMs, readCpuMs } from './cpu-time';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startLinkMarket } from './targets';

/**
 * Responses of each process before it is measured: the first thousands take twice as much CPU time as later ones. A number
 * and not a time, after which one process, which is slower, would be colder than each of several.
 */
const warmUpResponses = 3_000;
const rounds = 9;
const sliceMs = 3_000;
const connections = 32;
const targets = [
  { name: 'catalog, API, from the database', path: '/api/guest-posts?limit=30&total=none', cacheMb: 0 },
  { name: 'catalog, page of 30 rows', path: '/user/marketplace', cacheMb: 32 },
  { name: 'orders of a buyer, page', path: '/user/orders', cacheMb: 32 },
] as const;

/**
 * Compares one process with one for each core (WEB_CONCURRENCY), by the CPU time of a response, which other programs of the
 * machine do not change, and by the rate. The load generator and PostgreSQL share the cores with the app.
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
    const one = await startLinkMarket(lifetime, server, cacheMb, { processes: 1 });
    const all = await startLinkMarket(lifetime, server, cacheMb, { processes: count });
    await warmUp(one, path, warmUpResponses);
    await warmUp(all, path, warmUpResponses * count);
    const pairs: { one: Measured; all: Measured }[] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push({ one: await measure(one, path, sliceMs), all: await measure(all, path, sliceMs) });
    const of = (number: (pair: (typeof pairs)[number]) => number) => median(pairs.map(number));
    const cpu = atMost(
      `${name}: CPU time of a response, ${count} processes ÷ one`,
      of((pair) => pair.all.cpuMs / pair.one.cpuMs),
      1.05,
    );
    const rate = atLeast(
      `${name}: rate of ${count} processes ÷ what the cores allow`,
      of((pair) => pair.all.rate / (Math.min(count, count - pair.all.otherCores) / (pair.one.cpuMs / 1000))),
      0.95,
    );
    bars.push(cpu, rate);
    const row = [
      ...[name, of((pair) => pair.one.cpuMs).toFixed(2), of((pair) => pair.all.cpuMs).toFixed(2), ...barCells(cpu)],
      ...[of((pair) => pair.one.rate).toFixed(0), of((pair) => pair.all.rate).toFixed(0)],
      ...[of((pair) => pair.all.otherCores).toFixed(2), ...barCells(rate)],
    ];
    process.stdout.write(`${row.join('  ')}\n`);
    rows.push(row);
    for (const target of [one, all]) await target.stop();
  }
  const head = [
    ...[`${connections} connections`, 'CPU, ms, one process', `CPU, ms, ${count} processes`, 'ratio', 'bar'],
    ...['a second, one process', `a second, ${count} processes`, 'cores of others', 'share of the possible', 'bar'],
  ];
  writeReport('cores', {
    text: `CPU time of a response and responses a second on ${count} cores, medians of ${rounds} pairs of slices of ${sliceMs / 1000} s. The CPU time is that of every process of the app. Others are PostgreSQL, the load generator and what else the machine runs beside ${count} processes; what they leave, divided by the CPU time of a response of one process, is the highest possible rate.

${table(head, rows)}`,
    bars,
  });
}

async function warmUp(target: BenchTarget, path: string, responses: number): Promise<void> {
  for (let answered = 0; answered < responses; )
    answered += ((await measure(target, path, sliceMs)).rate * sliceMs) / 1000;
}

/** Responses a second, the CPU time of one, and the cores that other programs kept busy meanwhile. */
type Measured = { rate: number; cpuMs: number; otherCores: number };

async function measure({ origin, headers, pid }: BenchTarget, path: string, ms: number): Promise<Measured> {
  const [startedAt, busyBefore, appBefore] = [performance.now(), readBusyMs(), readCpuMs(pid)];
  const rate = await rateOf({ url: `${origin}${path}`, headers, connections }, ms / 1000);
  const [elapsedMs, busyMs, appMs] = [
    performance.now() - startedAt,
    readBusyMs() - busyBefore,
    readCpuMs(pid) - appBefore,
  ];
  const responses = (rate * elapsedMs) / 1000;
  return { rate, cpuMs: appMs / responses, otherCores: (busyMs - appMs) / elapsedMs };
}
