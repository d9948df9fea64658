import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { copyFromStdin } from '@/db/copy';
import {
  type LinkedState,
  type LinkSource,
  linkSources,
  projectAnchors,
  projectLinkedDomains,
  projectLinkSources,
} from '@/db/schema/project-domains';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { recordAudit } from '@/lib/platform/audit/record';
import { importCancelledError, withImportSlot } from '@/lib/platform/import-slot';
import { detectEncoding, parseRecords, readSample, readText, type TextEncoding } from '@/lib/platform/parse-csv';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { type SpooledFile, spool } from '@/lib/platform/storage/spool';
import { getProject } from '@/lib/projects/projects';
import { type LinkedDomainsImport, maxLinkFileBytes, maxLinkFileRows, maxNamedSkips } from './contract';
import { DomainReader } from './read-cells';
import { type LinkRow, readLinkRow } from './read-row';
import { type FileLayout, fileError, recognizeFormat } from './recognize-format';

type LinkUpload = {
  file: Readable;
  /** The file name sent by the browser. */
  name: string;
  /** Stores nothing. */
  isDryRun: boolean;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
};

/**
 * Imports an export of links to a project, all or nothing. It adds domains and updates those that the same tool named
 * before, unless what is known is newer; anchors replace the tool's earlier ones, so that a file imported twice counts
 * once. The file is streamed, never held in memory, and imports of one user run one at a time.
 * @throws AppError not_found, also for a project of another user; invalid_input for a file that is no known export;
 * too_large; conflict if no import slot becomes free in time
 */
export async function importLinkedDomains(
  actor: Actor,
  projectId: string,
  { file, name, isDryRun, signal }: LinkUpload,
): Promise<LinkedDomainsImport> {
  const { domain } = await getProject(actor, projectId).catch((thrown: unknown) => {
    file.destroy();
    throw thrown;
  });
  const ownDomain = getSiteDomain(`https://${domain}`);
  return spool(file, maxLinkFileBytes, async (spooled) => {
    const encoding = await detectEncoding(spooled.path);
    const layout = recognizeFormat(await readSample(spooled.path, encoding, sampleLength), ownDomain);
    return withImportSlot(actor.userId, signal, async (tx) => {
      // Again: it may have been deleted while the import waited.
      await getProject(actor, projectId, tx);
      const staged = await stageRows(tx, spooled.path, { encoding, layout, ownDomain, signal });
      const { counted, ...counts } = await countStaged(tx);
      const found = { format: layout.format, ...staged, ...counts, anchors: counted };
      if (!isDryRun) await storeStaged(tx, actor, { projectId, name, spooled, found });
      if (signal?.aborted) throw importCancelledError();
      return found;
    });
  });
}

/** Longer than several rows with their contexts. */
const sampleLength = 256 * 1024;

const stagedColumns = ['domain', 'state', 'seen_on', 'anchor', 'is_image', 'first_seen_on', 'links'] as const;
/** Ordered, so that the state of several links is the highest. */
const stateRanks = { lost: 0, unknown: 1, live: 2 } as const;

type StagedRows = Pick<LinkedDomainsImport, 'rows' | 'skipped' | 'moreSkipped'>;
type StageOptions = {
  encoding: TextEncoding;
  layout: FileLayout;
  ownDomain: string;
  signal: AbortSignal | undefined;
};

/** Streams the rows into the temporary table `link_rows`, which is dropped at the end of the transaction. */
async function stageRows(
  tx: Transaction,
  path: string,
  { encoding, layout, ownDomain, signal }: StageOptions,
): Promise<StagedRows> {
  const staged: StagedRows = { rows: 0, skipped: [], moreSkipped: 0 };
  const context = { reader: new DomainReader(), ownDomain };
  const skip = (reason: string) => {
    if (staged.skipped.length < maxNamedSkips) staged.skipped.push({ row: staged.rows, reason });
    else staged.moreSkipped += 1;
  };
  await tx.execute(sql`
    create temporary table link_rows (
      domain text, state smallint, seen_on date, anchor text, is_image boolean, first_seen_on date, links integer
    ) on commit drop`);
  const lines = async function* () {
    for await (const records of parseRecords(readText(path, encoding), layout.delimiter)) {
      let text = '';
      for (const { row, cells, isMalformed } of records) {
        if (row <= layout.headerRow || cells.every((cell) => cell.trim() === '')) continue;
        staged.rows += 1;
        const read = isMalformed ? 'Quotes (") inside its cells are not doubled.' : readLinkRow(cells, layout, context);
        if (typeof read === 'string') skip(read);
        else text += formatCopyLine(read);
      }
      if (staged.rows > maxLinkFileRows) throw tooManyRowsError();
      if (text !== '') yield Buffer.from(text);
    }
  };
  await pipeline(
    Readable.from(lines(), { objectMode: true }),
    await copyFromStdin(tx, 'link_rows', stagedColumns),
    ...(signal ? [{ signal }] : []),
  ).catch((thrown: unknown) => {
    throw signal?.aborted ? importCancelledError() : thrown;
  });
  if (staged.rows === 0) throw fileError('The file has no rows.');
  return staged;
}

const copyNull = '\\N';

function formatCopyLine({ domain, state, seenOn, anchor }: LinkRow): string {
  // Anchors are on one line and without tabs.
  const text = anchor?.text.replaceAll('\\', '\\\\') ?? copyNull;
  const ofAnchor = anchor ? `${anchor.isImage}\t${anchor.firstSeenOn ?? copyNull}\t${anchor.links}` : '\\N\t\\N\t\\N';
  return `${domain ?? copyNull}\t${stateRanks[state]}\t${seenOn ?? copyNull}\t${text}\t${ofAnchor}\n`;
}

function tooManyRowsError(): AppError {
  return new AppError(
    'too_large',
    `The file has more than ${maxLinkFileRows.toLocaleString('en-US')} rows. Split it into smaller files.`,
  );
}

const countResult = z.tuple([
  z.object({ domains: z.number(), live: z.number(), lost: z.number(), unknown: z.number(), counted: z.number() }),
]);

/** Reduces the rows to the temporary table `link_domains`, one row for each domain, and counts them. */
async function countStaged(tx: Transaction) {
  await tx.execute(sql`
    create temporary table link_domains on commit drop as
    select domain, max(state) as state, max(seen_on) as seen_on
    from link_rows where domain is not null group by domain`);
  const rows = await tx.execute(sql`
    select count(*)::int as domains,
      count(*) filter (where state = ${stateRanks.live})::int as live,
      count(*) filter (where state = ${stateRanks.lost})::int as lost,
      count(*) filter (where state = ${stateRanks.unknown})::int as unknown,
      (select coalesce(sum(links), 0)::float8 from link_rows where anchor is not null) as counted
    from link_domains`);
  return countResult.parse([...rows])[0];
}

type StoreOptions = { projectId: string; name: string; spooled: SpooledFile; found: LinkedDomainsImport };

async function storeStaged(tx: Transaction, actor: Actor, { projectId, name, spooled, found }: StoreOptions) {
  const source = getSource(found.format);
  await storeDomains(tx, projectId, source);
  await storeAnchors(tx, projectId, source);
  await countSource(tx, projectId, source);
  const { format, rows, domains, live, lost, unknown, anchors } = found;
  const skipped = found.skipped.length + found.moreSkipped;
  await recordAudit(tx, actor, {
    action: 'project.links_imported',
    details: `${domains} linking domains and ${anchors} anchors imported from ${safeFileName(name)}; ${skipped} of ${rows} rows skipped.`,
    entityType: 'project',
    entityId: projectId,
    after: { format, rows, domains, live, lost, unknown, anchors, skipped, sha256: spooled.sha256 },
  });
}

function getSource(format: string): LinkSource {
  const source = linkSources.find((known) => known === format.split('_')[0]);
  if (!source) throw new Error(`${format} has no source.`);
  return source;
}

/** Adds and updates the domains of a source. What the source stated of a later day remains. */
async function storeDomains(tx: Transaction, projectId: string, source: LinkSource): Promise<void> {
  await tx.execute(sql`
    delete from link_domains staged using ${projectLinkedDomains} known
    where known.project_id = ${projectId} and known.source = ${source} and known.domain = staged.domain
      and known.seen_on > staged.seen_on`);
  // In order, so that two transactions never wait for each other. A tool that does not say whether a link is in place
  // does not take back that it is.
  await tx.execute(sql`
    insert into ${projectLinkedDomains} as known (project_id, domain, source, state, seen_on)
    select ${projectId}, domain, ${source}, (array['lost', 'unknown', 'live'])[state + 1], seen_on
    from link_domains order by domain
    on conflict (project_id, domain, source) do update set
      state = case when excluded.state = 'unknown' and known.state = 'live' then 'live' else excluded.state end,
      seen_on = greatest(known.seen_on, excluded.seen_on),
      imported_at = excluded.imported_at`);
}

/** Replaces the anchors of a source, if the file has any. */
async function storeAnchors(tx: Transaction, projectId: string, source: LinkSource): Promise<void> {
  const added = await tx.execute(sql`
    create temporary table link_anchors on commit drop as
    select anchor, is_image, first_seen_on, least(sum(links), 2147483647)::integer as links
    from link_rows where anchor is not null group by anchor, is_image, first_seen_on`);
  if (added.count === 0) return;
  await tx
    .delete(projectAnchors)
    .where(and(eq(projectAnchors.projectId, projectId), eq(projectAnchors.source, source)));
  await tx.execute(sql`
    insert into ${projectAnchors} (project_id, source, anchor, is_image, first_seen_on, links)
    select ${projectId}, ${source}, anchor, is_image, first_seen_on, links from link_anchors`);
}

/** Counts what is known of a project from a source, for its page and its list. */
export async function countSource(tx: Executor, projectId: string, source: LinkSource): Promise<void> {
  const countOf = (state: LinkedState) => sql`count(*) filter (where state = ${state})`;
  await tx.execute(sql`
    insert into ${projectLinkSources} (project_id, source, live, lost, unknown, anchors)
    select ${projectId}, ${source}, ${countOf('live')}, ${countOf('lost')}, ${countOf('unknown')}, (
      select coalesce(sum(links), 0) from ${projectAnchors} where project_id = ${projectId} and source = ${source})
    from ${projectLinkedDomains} where project_id = ${projectId} and source = ${source}
    on conflict (project_id, source) do update set live = excluded.live, lost = excluded.lost, unknown = excluded.unknown,
      anchors = excluded.anchors, imported_at = excluded.imported_at`);
}
