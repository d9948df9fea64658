import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { copyFromStdin, copyToStdout } from '@/db/copy';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import type { Transaction } from '@/db/transaction';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { DomainIndex } from './domain-index';
import { findReleaseDay, type ReleaseDay } from './find-release-day';
import { LineSplitter, maxLineBytes } from './line-splitter';
import { type OpenDataKind, openDataFormats } from './open-data-formats';
import { type BrokenLine, copyReversed, type ImportedFigure, OpenDataParser } from './parse-open-data';
import { getFileFacts, readChunks } from './read-chunks';

export type OpenDataProgress = { lines: number; readBytes: number; bytes: number };

export type OpenDataReport = ReleaseDay & {
  lines: number;
  /** The domains of the catalog, and those of them that the list has. */
  domains: number;
  matched: number;
  stored: number;
  unchanged: number;
  broken: number;
  /** The first broken lines. */
  brokenLines: BrokenLine[];
};

type ImportOptions = {
  kind: OpenDataKind;
  path: string;
  /** The day of the list, YYYY-MM-DD; without it that of its name, or of the file. */
  asOf?: string;
  signal?: AbortSignal;
  onDay?: (day: ReleaseDay) => void;
  onProgress?: (progress: OpenDataProgress) => void;
};

/**
 * Stores the figures that a list of open data has of the catalog's domains, in one transaction. The file is read to its end
 * before anything is written. A figure that is already known for the day is not stored again.
 * @throws AppError conflict while another import runs; invalid_input for another file, or one that cannot be read
 */
export async function importOpenData(actor: AnyActor, options: ImportOptions): Promise<OpenDataReport> {
  const { kind, path, signal, onDay, onProgress } = options;
  const { bytes, changedAt } = await getFileFacts(path);
  const day = findReleaseDay(path, options.asOf, changedAt);
  onDay?.(day);
  return db().transaction(async (tx) => {
    await acquireLock(tx);
    const index = await indexCatalogue(tx, kind);
    const parser = new OpenDataParser(kind, index);
    await readChunks(
      path,
      (chunk, readBytes) => {
        parser.push(chunk);
        onProgress?.({ lines: parser.lines, readBytes, bytes });
      },
      signal,
    );
    parser.end();
    const copied = await stageFigures(tx, parser.figures());
    const stored = await insertStagedFigures(tx, kind, day.day);
    const { lines, broken, brokenLines } = parser;
    const matched = copied / openDataFormats[kind].figures.length;
    if (stored > 0) {
      const count = (value: number) => value.toLocaleString('en-US');
      await recordAudit(tx, actor, {
        action: 'figures.imported',
        details: `Stored ${count(stored)} figures of ${count(matched)} domains as of ${day.day}: ${openDataFormats[kind].label}.`,
        entityType: 'figures',
        entityId: openDataFormats[kind].source,
      });
    }
    signal?.throwIfAborted();
    return { ...day, lines, domains: index.size, matched, stored, unchanged: copied - stored, broken, brokenLines };
  });
}

const lockResult = z.tuple([z.object({ taken: z.boolean() })]);
const sizeResult = z.tuple([z.object({ domains: z.number(), bytes: z.number() })]);
const countResult = z.tuple([z.object({ count: z.number() })]);

/** Takes the lock of imports until the end of the transaction, which waits while a large file is read. */
async function acquireLock(tx: Transaction): Promise<void> {
  await extendStatementTimeout(tx);
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const rows = await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('figures-import')}) as taken`);
  if (lockResult.parse([...rows])[0].taken) return;
  throw new AppError('conflict', 'Another import of figures is running. Start this one when it has ended.');
}

const catalogue = 'select distinct domain from sites where deleted_at is null';

/** Reads the domains of the catalog. Those of sites that are added meanwhile may be missing. */
async function indexCatalogue(tx: Transaction, kind: OpenDataKind): Promise<DomainIndex> {
  const [size] = sizeResult.parse([
    ...(await tx.execute(
      sql`select count(*)::float8 as domains, coalesce(sum(octet_length(domain)), 0)::float8 as bytes from (${sql.raw(catalogue)}) known`,
    )),
  ]);
  const index = new DomainIndex(size.domains, size.bytes);
  const isReversed = openDataFormats[kind].form === 'reversed';
  const reversed = new Uint8Array(maxLineBytes);
  const splitter = new LineSplitter((bytes, start, end) => {
    if (!isReversed) return index.add(bytes, start, end);
    copyReversed(bytes, start, end, reversed);
    index.add(reversed, 0, end - start);
  });
  for await (const chunk of copyToStdout(tx, catalogue)) splitter.push(chunk);
  splitter.end();
  return index;
}

const linesPerChunk = 500;

/** @returns the number of figures */
async function stageFigures(tx: Transaction, figures: Iterable<ImportedFigure>): Promise<number> {
  let count = 0;
  const chunks = function* () {
    let text = '';
    for (const { domain, metric, value } of figures) {
      // Names have letters, digits, dots and hyphens only, so nothing is escaped.
      text += `${domain}\t${metric}\t${value}\n`;
      count += 1;
      if (count % linesPerChunk !== 0) continue;
      yield Buffer.from(text);
      text = '';
    }
    if (text !== '') yield Buffer.from(text);
  };
  await tx.execute(
    sql`create temporary table imported_figures (domain text, metric text, value double precision) on commit drop`,
  );
  await pipeline(
    Readable.from(chunks(), { objectMode: true, highWaterMark: 1 }),
    await copyFromStdin(tx, 'imported_figures', ['domain', 'metric', 'value']),
  );
  return count;
}

/** Inserts the staged figures, except those whose last row of the day has the same value. @returns their number */
async function insertStagedFigures(tx: Transaction, kind: OpenDataKind, day: string): Promise<number> {
  const { source } = openDataFormats[kind];
  // Not in the statement that inserts: its plan would be that for the table before, which may be empty.
  await tx.execute(sql`analyze imported_figures`);
  await tx.execute(sql`
    delete from imported_figures imported
    where value = (
      select known.value from domain_figures known
      where known.domain = imported.domain and known.metric = imported.metric
        and known.source = ${source}::text and known.as_of = ${day}::date
      order by known.id desc limit 1
    )`);
  const rows = await tx.execute(sql`
    with written as (
      insert into domain_figures (domain, metric, value, source, as_of)
      select domain, metric, value, ${source}::text, ${day}::date from imported_figures
      returning 1
    )
    select count(*)::integer as count from written`);
  return countResult.parse([...rows])[0].count;
}
