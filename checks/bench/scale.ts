import postgres from 'postgres';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { forgetStatistics } from '@/tests/bench/forget-statistics';
import { measureRecords, measureVerbs, type VerbTimes } from '@/tests/bench/scale-verbs';
import { largeSize, type ScaleSize, smallSize } from '@/tests/bench/seed-scale';
import { atMost, type Bar, isHeld } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import {
  addSeededDatabase,
  collectStatistics,
  type Installation,
  type Measured,
  type MeasuredRequest,
  measureFirst,
  measureRequest,
  measureStreamedLists,
  type StreamedList,
  setAutovacuum,
  startInstallation,
} from './scale-measure';
import { listRequests } from './scale-requests';
import { buildTargets, cronSecret } from './targets';

/** The longest first response of a list, in milliseconds, before the statistics of a table exist. */
const firstMs = 200;

/**
 * Measures every page and GET endpoint in an installation of the full size (seed-scale.ts) and in a thousandth of it, and
 * writes the ratios to docs/internals/scale.md. BENCH_ONLY measures the requests whose address contains it, and writes
 * nothing.
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
    await collectStatistics(database.adminUrl);
    process.stdout.write(
      `${name}: seeded in ${seconds(seeded - begin)}, jobs caught up in ${seconds(performance.now() - seeded)}.\n`,
    );
    return { installation, ...database, people };
  };
  const small = await open('small', smallSize);
  const large = await open('large', largeSize);
  const requests = await listRequests(small.installation);
  const only = process.env.BENCH_ONLY;
  const rows = await compareInstallations(
    requests.filter(({ path }) => !only || path.includes(only)),
    small.installation,
    large.installation,
  );
  const first = await measureWithoutStatistics(rows, large);
  if (only) return;
  const streamed = await measureStreamedLists(large.installation);
  const verbsOf = ({ appUrl, people }: typeof large) => measureOn(appUrl, (pool) => measureVerbs(pool, people));
  const { ms, records, growth } = await measureOn(large.appUrl, measureRecords);
  const rollUp = `The records of all ${records} listings and sellers are computed in ${seconds(ms)}; the memory grows by ${(growth / 2 ** 20).toFixed(0)} MB.`;
  const size = Object.entries(largeSize).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  const report = [
    `${size.join(', ')}, beside a thousandth of the full size. Median of 5 requests in turns, of 15 under 20 ms.`,
    ...[describeRows(rows), first.text, describeStreamed(streamed)],
    ...[compareVerbs(await verbsOf(small), await verbsOf(large)), rollUp],
  ];
  const bars = [...rows.map(({ bar }) => bar), ...first.bars];
  writeReport('scale', { text: report.join('\n\n'), bars, page: 'scale.md' });
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

type Row = Measured & { request: MeasuredRequest; bar: Bar };

/** Measures all requests at both sizes. */
async function compareInstallations(
  requests: readonly MeasuredRequest[],
  small: Installation,
  large: Installation,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    const measured = await measureRequest(request, small, large);
    if (!measured) {
      process.stdout.write(`${request.person}  ${request.path}  is not answered with 200.\n`);
      continue;
    }
    const name = `${request.person} \`${request.path}\`, large ÷ small`;
    const ratio = measured.large / measured.small / measured.longer;
    const row = { request, ...measured, bar: atMost(name, ratio, request.maxRatio) };
    process.stdout.write(`${cellsOf(row).join('  ')}\n`);
    rows.push(row);
  }
  return rows;
}

const cellsOf = ({ request: { person, path }, small, large, longer, bar }: Row): string[] => [
  ...[person, `\`${path}\``, small.toFixed(0), large.toFixed(0), longer < 1.05 ? '' : longer.toFixed(1)],
  ...barCells(bar),
];

/** Formats the rows that miss their bar, the slowest first. */
function describeRows(rows: readonly Row[]): string {
  const slower = rows
    .filter(({ bar }) => !isHeld(bar))
    .sort(({ bar: one }, { bar: other }) => other.measured - one.measured);
  const text = `${slower.length} of ${rows.length} requests are above their bar. The time of a list that fills its page only in the large installation is divided by how much longer it is:`;
  return `${text}\n\n${table(['user', 'request', 'small, ms', 'large, ms', 'longer, ×', 'ratio', 'bar'], slower.map(cellsOf))}`;
}

/** Measures the requests in the large installation without statistics of its tables. @returns a table of the slow ones, and a bar of all */
async function measureWithoutStatistics(
  rows: readonly Row[],
  { installation, adminUrl }: { installation: Installation; adminUrl: string },
): Promise<{ text: string; bars: Bar[] }> {
  await setAutovacuum(adminUrl, false);
  await forgetStatistics(adminUrl);
  const slow: { request: MeasuredRequest; ms: number; usual: number }[] = [];
  let longest = 0;
  for (const { request, large } of rows) {
    const ms = (await measureFirst(request, installation, firstMs)) ?? 0;
    longest = Math.max(longest, ms);
    if (ms <= firstMs) continue;
    process.stdout.write(`without statistics  ${request.person}  ${request.path}  ${ms.toFixed(0)}\n`);
    slow.push({ request, ms, usual: large });
  }
  await setAutovacuum(adminUrl, true);
  await collectStatistics(adminUrl);
  const text = `Before the statistics of tables exist, ${slow.length} of ${rows.length} first responses take longer than ${firstMs} ms`;
  const bars = [atMost('longest first response before the statistics of tables exist', longest, firstMs, 'ms')];
  if (slow.length === 0) return { text: `${text}.`, bars };
  const cells = slow.map(({ request, ms, usual }) => [
    request.person,
    `\`${request.path}\``,
    ms.toFixed(0),
    usual.toFixed(0),
  ]);
  return { text: `${text}:\n\n${table(['user', 'request', 'without, ms', 'with, ms'], cells)}`, bars };
}

function describeStreamed(streamed: readonly StreamedList[]): string {
  const text = 'Lists without a limit, streamed from the large installation, beside requests for `/api/health/live`:';
  const cells = streamed.map((one) => [
    one.person,
    `\`${one.path}\``,
    one.megabytes.toFixed(1),
    one.firstByteMs.toFixed(0),
    (one.totalMs / 1_000).toFixed(1),
    one.longestWaitMs.toFixed(0),
    `+${one.memoryGrowthMb.toFixed(0)}`,
  ]);
  const head = ['user', 'request', 'MB', 'first byte, ms', 'total, s', 'longest wait of others, ms', 'memory, MB'];
  return `${text}\n\n${table(head, cells)}`;
}
