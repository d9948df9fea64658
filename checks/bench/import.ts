import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { ensureBuild } from '@/scripts/build/ensure-build';
import type { Lifetime } from '@/scripts/process/lifetime';
import { importFile, importRows } from '@/tests/bench/import-file';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atLeast, atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, createSession, startLinkMarket } from './targets';

const listedBefore = 100_000;
const rounds = 3;
const idleMs = 3_000;

/**
 * Compares 100,000 rows through POST /api/guest-posts/upload with COPY of the same parsed rows into the same table with
 * its indexes, in turns. Also measures the server's memory and the p99 of other requests during the import.
 */
export async function imports(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, listedBefore);
  await ensureBuild(lifetime, (line) => process.stdout.write(`build | ${line}\n`));
  const [admin, buyer] = await startBoth(lifetime, server);
  const sql = postgres(server.adminUrl, { max: 1, onnotice: () => undefined });
  await lifetime.own(Promise.resolve(sql), (client) => client.end());
  const [owner] = await sql<{ id: string }[]>`select id from users where role = 'Admin'`;
  if (!owner) throw new Error('There is no admin.');
  const text = importFile();
  const file = join(server.folder, 'sites.csv');
  writeFileSync(file, text);
  const { columns, lines } = await readLines(file, owner.id);

  const clear = async () => {
    await sql`delete from sites where owner_id = ${owner.id}`;
    // Of the rows above, which the next round would otherwise find as figures of its domains.
    await sql`truncate domain_figures`;
    await sql`vacuum analyze sites`;
  };
  const measured = { copy: [] as number[], import: [] as number[], memory: [] as number[], slower: [] as number[] };
  const waits = { idle: [] as number[], busy: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    // With the same concurrent requests as the import, which use part of the two cores.
    let copySeconds = 0;
    await measureLatency(buyer, async () => {
      copySeconds = await measureSeconds(async () =>
        pipeline(
          Readable.from(lines),
          await sql.unsafe(`copy sites (owner_id, ${columns.join(', ')}) from stdin`).writable(),
        ),
      );
    });
    await clear();
    const idle = await measureLatency(buyer, () => pause(idleMs));
    const idleBytes = readMemory(admin.pid);
    const peak = watchMemory(admin.pid);
    let importSeconds = 0;
    const busy = await measureLatency(buyer, async () => {
      importSeconds = await measureSeconds(() => upload(admin, text));
    });
    const peakBytes = peak.stop();
    await clear();
    process.stdout.write(
      `round ${round}: COPY ${copySeconds.toFixed(2)} s, import ${importSeconds.toFixed(2)} s, +${mb(peakBytes - idleBytes)} MB, p99 ${p99(idle).toFixed(1)} → ${p99(busy).toFixed(1)} ms\n`,
    );
    // The first round warms up the compiler, the query plans and the connections.
    if (round === 0) continue;
    measured.copy.push(copySeconds);
    measured.import.push(importSeconds);
    measured.memory.push(peakBytes - idleBytes);
    measured.slower.push(p99(busy) / p99(idle));
    waits.idle.push(p99(idle));
    waits.busy.push(p99(busy));
  }
  const rate = (seconds: number[]) => importRows / median(seconds);
  const bars = {
    rate: atLeast('rows a second ÷ COPY', rate(measured.import) / rate(measured.copy), 0.6),
    memory: atMost('peak memory above idle', median(measured.memory) / 1e6, 150, 'MB'),
    slower: atMost('p99 of other requests ÷ idle', median(measured.slower), 5),
  };
  const rows = [
    ['rows a second through the endpoint', formatInteger(rate(measured.import)), ''],
    ['rows a second by COPY', formatInteger(rate(measured.copy)), ''],
    ['ratio', ...barCells(bars.rate)],
    ['peak memory above idle', ...barCells(bars.memory)],
    [
      'p99 of other requests, idle and during the import',
      `${median(waits.idle).toFixed(1)} and ${median(waits.busy).toFixed(1)} ms`,
      '',
    ],
    ['times slower', ...barCells(bars.slower)],
  ];
  writeReport('import', {
    text: `Imports a file of ${formatInteger(importRows)} rows (${mb(Buffer.byteLength(text))} MB) into a table with ${formatInteger(listedBefore)} sites. Every row is an approved site with a price, so it is added to every index. Medians of ${rounds} rounds. The other requests read a buyer's first page of the catalog one after the other from the importing process. They also run during COPY.\n\n${table(['', 'measured', 'bar'], rows)}`,
    bars: Object.values(bars),
  });
}

/** Starts one server with two signed-in users. */
async function startBoth(
  lifetime: Lifetime,
  database: { adminUrl: string; appUrl: string },
): Promise<[BenchTarget, BenchTarget]> {
  const admin = await startLinkMarket(lifetime, database, 32, { role: 'Admin' });
  const name = (admin.headers.cookie ?? '').split('=')[0];
  const cookie = `${name}=${await createSession(database.adminUrl, 'User')}`;
  return [admin, { ...admin, headers: { cookie } }];
}

/** Returns the file's sites as lines of COPY, parsed as by an import. */
async function readLines(path: string, ownerId: string): Promise<{ columns: readonly string[]; lines: string[] }> {
  const { analyzeFile: surveyFile } = await import('@/lib/sites/import/analyze-file');
  const { getRowContext } = await import('@/lib/sites/import/known-names');
  const { readSiteRows } = await import('@/lib/sites/import/rejected-rows');
  const { copiedColumns, formatCopyLine: copyLine } = await import('@/lib/sites/import/copy-line');
  const { closeDb, db } = await import('@/db/client');
  const context = await getRowContext(db(), await surveyFile(path, 'staff'), { audience: 'staff', userId: ownerId });
  const lines: string[] = [];
  for await (const rows of readSiteRows(path, context)) {
    lines.push(rows.map((row) => ('site' in row ? `${ownerId}\t${copyLine(row.site)}` : '')).join(''));
  }
  await closeDb();
  return { columns: copiedColumns, lines };
}

async function upload({ origin, headers }: BenchTarget, text: string): Promise<void> {
  const form = new FormData();
  form.append('file', new File([text], 'sites.csv', { type: 'text/csv' }));
  const response = await fetch(`${origin}/api/guest-posts/upload`, {
    method: 'POST',
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    body: form,
  });
  const body = await response.text();
  if (!response.ok || !body.includes(`"inserted":${importRows},`)) {
    throw new Error(`The import returned ${response.status}: ${body.slice(0, 300)}`);
  }
}

/** Measures the duration of sequential requests during `work`, in milliseconds. */
async function measureLatency({ origin, headers }: BenchTarget, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const asking = (async () => {
    while (!isDone) {
      const started = performance.now();
      const response = await fetch(`${origin}/api/guest-posts?limit=30&total=none`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The catalog returned ${response.status}.`);
      times.push(performance.now() - started);
      await pause(5);
    }
  })();
  await work();
  isDone = true;
  await asking;
  return times;
}

/** Returns the resident memory of a process in bytes. */
function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

function watchMemory(pid: number): { stop: () => number } {
  let peak = readMemory(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(pid));
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other);
const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? 0;
const p99 = (values: readonly number[]) => sorted(values)[Math.ceil(values.length * 0.99) - 1] ?? 0;
const mb = (bytes: number) => Math.round(bytes / 1e6);
const formatInteger = (value: number) => Math.round(value).toLocaleString('en-US');
