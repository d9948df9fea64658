import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { z } from 'zod';
import { startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { linkFileRows, linkFiles } from '@/tests/bench/link-files';
import { median } from '@/tests/bench/median';
import { atMost, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

const rounds = 3;

const run = z.object({ seconds: z.number(), maxBytes: z.number(), grownBytes: z.number(), blockedMs: z.number() });
type Run = z.output<typeof run> & { copySeconds: number };

/**
 * Compares imports of 1,000,000 rows of links with COPY of as many domains and days into a table like that of the
 * result, in turns. Each import has a process of its own, whose memory and event loop are measured.
 */
export async function linkImport(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  const sql = postgres(server.adminUrl, { max: 1, onnotice: () => undefined });
  await lifetime.own(Promise.resolve(sql), (client) => client.end());
  const lines: string[][] = [];
  const bars: Bar[] = [];
  for (const [name, generate] of Object.entries(linkFiles)) {
    const path = join(server.folder, 'links');
    await pipeline(Readable.from(generate()), createWriteStream(path));
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++) {
      const copySeconds = await measureCopy(sql);
      runs.push({ copySeconds, ...(await runImport(lifetime, path)) });
      await sql`truncate project_linked_domains, project_anchors`;
      process.stdout.write(`${name}: ${JSON.stringify(runs.at(-1))}\n`);
    }
    const of = (key: keyof Run) => median(runs.map((measured) => measured[key]));
    const time = atMost(`${name}: elapsed`, of('seconds'), 30, 's');
    const memory = atMost(`${name}: peak memory`, of('maxBytes') / 1e6, 200, 'MB');
    bars.push(time, memory);
    lines.push([
      `${name} (${mb(statSync(path).size)} MB)`,
      barCells(time)[0],
      (of('seconds') / of('copySeconds')).toFixed(1),
      barCells(memory)[0],
      `${mb(of('grownBytes'))} MB`,
      `${Math.round(of('blockedMs'))} ms`,
    ]);
  }
  const head = [
    '',
    'elapsed (bar 30 s)',
    'times COPY',
    'peak memory (bar 200 MB)',
    'of it by the import',
    'longest block',
  ];
  writeReport('link-import', {
    text: `Imports ${linkFileRows.toLocaleString('en-US')} rows into an empty project. COPY writes as many domains and days into a table with the same key. The memory is that of a process that does nothing else. Medians of ${rounds} rounds.\n\n${table(head, lines)}`,
    bars,
  });
}

/** Imports the file in a process of its own. */
async function runImport(lifetime: Lifetime, path: string): Promise<z.output<typeof run>> {
  const child = startChild({ name: 'import', args: [...tsxArgs('tests/bench/import-links.ts'), path], env: {} });
  await lifetime.own(Promise.resolve(child), (running) => running.stop());
  await child.exited;
  const printed = /^measured (.+)$/m.exec(child.tail())?.[1];
  if (!printed) throw new Error(child.tail());
  return run.parse(JSON.parse(printed));
}

/** Copies domains and days into a table with the key of the result. @returns the time in seconds */
async function measureCopy(sql: postgres.Sql): Promise<number> {
  await sql`drop table if exists copied_domains`;
  await sql`create table copied_domains (like project_linked_domains including defaults including indexes)`;
  const lines = function* () {
    for (let at = 0; at < linkFileRows; at += 1_000) {
      yield Buffer.from(
        Array.from({ length: 1_000 }, (_, more) => `p\tsite-${at + more}.com\tlist\tlive\t2026-09-15\n`).join(''),
      );
    }
  };
  const started = performance.now();
  await pipeline(
    Readable.from(lines()),
    await sql.unsafe('copy copied_domains (project_id, domain, source, state, seen_on) from stdin').writable(),
  );
  return (performance.now() - started) / 1000;
}

const mb = (bytes: number) => Math.round(bytes / 1e6);
