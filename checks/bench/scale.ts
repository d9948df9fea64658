import postgres from 'postgres';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { measureRecords, measureVerbs, type VerbTimes } from '@/tests/bench/scale-verbs';
import { largeSize, type ScaleSize, smallSize } from '@/tests/bench/seed-scale';
import { atMost, type Bar, isHeld } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import {
  addSeededDatabase,
  type Installation,
  measureRequest,
  measureStreamedLists,
  startInstallation,
} from './scale-measure';
import { listRequests } from './scale-requests';
import { buildTargets, cronSecret } from './targets';

/**
 * Measures every page and GET endpoint in an installation with a million orders and in one with a thousand, and writes
 * the ratios to docs/internals/scale.md.
 */
export async function scale(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const open = async (name: string, size: ScaleSize) => {
    const begin = performance.now();
    const { people, ...database } = await addSeededDatabase(server, name, size);
    const seeded = performance.now();
    const installation = await startInstallation(lifetime, database, people, size);
    await runJobsUntilIdle(installation);
    await vacuum(database.adminUrl);
    process.stdout.write(
      `${name}: seeded in ${seconds(seeded - begin)}, jobs caught up in ${seconds(performance.now() - seeded)}.\n`,
    );
    const verbs = await measureOn(database.appUrl, (pool) => measureVerbs(pool, people));
    return { installation, verbs, records: await measureOn(database.appUrl, measureRecords) };
  };
  const small = await open('small', smallSize);
  const large = await open('large', largeSize);
  const pages = await compareInstallations(small.installation, large.installation);
  const { ms, records, growth } = large.records;
  const rollUp = `The records of all ${records} listings and sellers are computed in ${seconds(ms)}; the memory grows by ${(growth / 2 ** 20).toFixed(0)} MB.`;
  writeReport('scale', {
    text: `${pages.text}\n\n${compareVerbs(small.verbs, large.verbs)}\n\n${rollUp}`,
    bars: pages.bars,
    page: 'scale.md',
  });
}

async function measureOn<Measured>(
  appUrl: string,
  measure: (pool: postgres.Sql) => Promise<Measured>,
): Promise<Measured> {
  const pool = postgres(appUrl, { max: 4, onnotice: () => undefined });
  return measure(pool).finally(() => pool.end());
}

/** Formats the times of operations at both sizes as a table in Markdown. */
function compareVerbs(small: VerbTimes[], large: VerbTimes[]): string {
  const rows = small.map(({ verb, ms }) => {
    const other = large.find((one) => one.verb === verb)?.ms ?? 0;
    return [verb, ms.toFixed(0), other.toFixed(0), (other / ms).toFixed(2)];
  });
  return `Operations, without HTTP:\n\n${table(['operation', 'small, ms', 'large, ms', 'ratio'], rows)}`;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`;

const jobRun = z.object({
  jobs: z.array(z.object({ name: z.string(), ok: z.boolean(), figures: z.record(z.string(), z.number()) })),
});

/** Seals the audit log and computes the roll-ups, as the jobs of a running installation do. */
async function runJobsUntilIdle({ app }: Installation): Promise<void> {
  for (let idle = 0; idle < 3; ) {
    const response = await fetch(`${app.origin}/api/jobs/run`, {
      headers: { authorization: `Bearer ${cronSecret}` },
      signal: AbortSignal.timeout(600_000),
    });
    const { jobs } = jobRun.parse(await response.json());
    const failed = jobs.filter(({ ok }) => !ok);
    if (failed.length > 0) throw new Error(`The jobs ${failed.map(({ name }) => name).join(', ')} failed.`);
    const isIdle = jobs.every(({ figures }) => Object.values(figures).every((figure) => figure === 0));
    idle = isIdle ? idle + 1 : 0;
  }
}

async function vacuum(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await sql`vacuum analyze`.finally(() => sql.end());
}

/** Measures all requests at both sizes. @returns the tables in Markdown, and the bar of each request */
async function compareInstallations(small: Installation, large: Installation): Promise<{ text: string; bars: Bar[] }> {
  const rows: { cells: string[]; bar: Bar }[] = [];
  for (const request of await listRequests(small)) {
    const measured = await measureRequest(request, small, large);
    if (!measured) continue;
    const name = `${request.person} \`${request.path}\`, large ÷ small`;
    const bar = atMost(name, measured.large / measured.small, request.maxRatio);
    const cells = [
      request.person,
      `\`${request.path}\``,
      measured.small.toFixed(0),
      measured.large.toFixed(0),
      ...barCells(bar),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
    rows.push({ cells, bar });
  }
  const slower = rows
    .filter(({ bar }) => !isHeld(bar))
    .sort(({ bar: one }, { bar: other }) => other.measured - one.measured);
  const streamed = await measureStreamedLists(large);
  const size = Object.entries(largeSize).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  const text = [
    `${size.join(', ')}, beside a thousandth of it. Median of 5 requests in turns. ${slower.length} of ${rows.length} requests are above their bar:`,
    table(
      ['user', 'request', 'small, ms', 'large, ms', 'ratio', 'bar'],
      slower.map(({ cells }) => cells),
    ),
    'Lists without a limit, streamed from the large installation, beside requests for `/api/health/live`:',
    table(
      ['user', 'request', 'MB', 'first byte, ms', 'total, s', 'longest wait of others, ms', 'memory, MB'],
      streamed.map((one) => [
        one.person,
        `\`${one.path}\``,
        one.megabytes.toFixed(1),
        one.firstByteMs.toFixed(0),
        (one.totalMs / 1_000).toFixed(1),
        one.longestWaitMs.toFixed(0),
        `+${one.memoryGrowthMb.toFixed(0)}`,
      ]),
    ),
  ].join('\n\n');
  return { text, bars: rows.map(({ bar }) => bar) };
}
