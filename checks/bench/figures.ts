import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { z } from 'zod';
import { startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { median } from '@/tests/bench/median';
import { writeDomainRanks } from '@/tests/bench/open-data-file';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

const fileLines = 10_000_000;
const rounds = 3;

type Cost = { seconds: number; cpuSeconds: number };

/**
 * Compares `npm run figures:import` of 10,000,000 lines with `gzip -dc | wc -l` of the same file, in turns: with 100,000
 * domains in the catalog, and its memory also with 1,000,000.
 */
export async function figures(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  const file = join(server.folder, 'domain-ranks.txt.gz');
  await seedCatalogue(server.adminUrl, 100_000);
  const bytes = await writeDomainRanks(file, fileLines, await listDomains(server.adminUrl));
  const measured = { import: [] as Cost[], gzip: [] as Cost[], memory: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    measured.gzip.push(await runGzip(file));
    const { maxBytes, ...cost } = await runImport(lifetime, file, server.appUrl, `2025-01-0${round}`);
    measured.import.push(cost);
    measured.memory.push(maxBytes);
    process.stdout.write(`round ${round}: ${JSON.stringify(measured)}\n`);
  }
  const large = await server.addDatabase('linkmarket_large');
  await seedCatalogue(large.adminUrl, 1_000_000);
  const atMillion = await runImport(lifetime, file, large.appUrl, '2025-01-01');
  const of = (costs: Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
  const ratio = (key: keyof Cost) => (of(measured.import, key) / of(measured.gzip, key)).toFixed(1);
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const mb = (value: number) => Math.round(value / 1e6);
  const time = atMost('import', of(measured.import, 'seconds'), 60, 's');
  const memory = {
    million: atMost('memory with 1,000,000 domains', atMillion.maxBytes / 1e6, 200, 'MB'),
    hundredThousand: atMost('memory with 100,000 domains', median(measured.memory) / 1e6, 200, 'MB'),
  };
  const [importSeconds, importLimit] = barCells(time);
  const memoryRow = ([measuredMb, limit]: [string, string]) => [measuredMb, '', limit];
  const rows = [
    ['`gzip -dc`, `wc -l`', seconds(of(measured.gzip, 'seconds')), seconds(of(measured.gzip, 'cpuSeconds')), ''],
    ['import', importSeconds, seconds(of(measured.import, 'cpuSeconds')), importLimit],
    ['ratio', `**${ratio('seconds')}**`, `**${ratio('cpuSeconds')}**`, ''],
    ['import with 1,000,000 domains', seconds(atMillion.seconds), seconds(atMillion.cpuSeconds), ''],
    ['its memory', ...memoryRow(barCells(memory.million))],
    ['memory with 100,000 domains', ...memoryRow(barCells(memory.hundredThousand))],
  ];
  writeReport('figures', {
    text: `Imports ${fileLines.toLocaleString('en-US')} domain ranks in the form of Common Crawl (${mb(bytes)} MB, ${mb(statSync(file).size)} MB as gzip) into a catalog of 100,000 domains, all of which the list has. Each import stores 100,000 figures. The CPU time is that of the import, without PostgreSQL. Medians of ${rounds} rounds.\n\n${table(['', 'elapsed', 'CPU', 'bar'], rows)}`,
    bars: [time, ...Object.values(memory)],
  });
}

async function listDomains(adminUrl: string): Promise<string[]> {
  const sql = postgres(adminUrl, { max: 1 });
  const rows = await sql<{ domain: string }[]>`select domain from sites order by id`;
  await sql.end();
  return rows.map(({ domain }) => domain);
}

/** Runs the pipeline with bash, which prints the elapsed time and the CPU time of both processes. */
async function runGzip(file: string): Promise<Cost> {
  const command = 'TIMEFORMAT="%R %U %S"; time (gzip -dc "$0" | wc -l)';
  const { stderr } = await promisify(execFile)('bash', ['-c', command, file]);
  const [elapsed = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { seconds: elapsed, cpuSeconds: user + system };
}

const script = 'scripts/figures-import.ts';
/** As in the npm script: young buffers are collected earlier, and freed memory is not kept for each thread. */
const memoryOptions = ['--max-semi-space-size=4'];

const usage = z.object({ maxRSS: z.number(), userCPUTime: z.number(), systemCPUTime: z.number() });

/** Prints what the process used when it exits. */
const usageReport = `data:text/javascript,process.on('exit',()=>console.log('usage '+JSON.stringify(process.resourceUsage())))`;

async function runImport(
  lifetime: Lifetime,
  file: string,
  url: string,
  day: string,
): Promise<Cost & { maxBytes: number }> {
  const started = performance.now();
  const child = startChild({
    name: 'import',
    args: [...memoryOptions, '--import', usageReport, ...tsxArgs(script), 'common-crawl', file, '--as-of', day],
    env: { DATABASE_URL: url, MALLOC_ARENA_MAX: '1' },
  });
  await lifetime.own(Promise.resolve(child), (running) => running.stop());
  await child.exited;
  if (child.exitCode() !== 0 || !/^Figures stored +100,000$/m.test(child.tail())) throw new Error(child.tail());
  const printed = /^usage (.+)$/m.exec(child.tail())?.[1] ?? '{}';
  const { maxRSS, userCPUTime, systemCPUTime } = usage.parse(JSON.parse(printed));
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    maxBytes: maxRSS * 1024,
  };
}
