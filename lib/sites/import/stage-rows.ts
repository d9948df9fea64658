import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { copyFromStdin } from '@/db/copy';
import type { TypedSource } from '@/db/enums';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { figureColumns } from '@/db/schema/sites';
import type { Transaction } from '@/db/transaction';
import { AppError } from '@/lib/errors';
import { importCancelledError } from '@/lib/platform/import-slot';
import { lockDomains } from '@/lib/sites/domain-figures/lock-domains';
import { today } from '@/lib/sites/domain-figures/rank';
import { refreshListings, selectBestRow } from '@/lib/sites/domain-figures/refresh';
import { copiedColumns, formatCopyLine, type RowProblem } from './copy-line';
import type { RowContext } from './known-names';
import { readSiteRows } from './rejected-rows';

const maxErrors = 100;
/** More new niches in a file of staff indicate a wrong niche column. */
const maxNewNiches = 1_000;

export type StagedRows = {
  /** The number of valid rows. */
  usable: number;
  /** The number of invalid rows. */
  skipped: number;
  /** The first 100 invalid rows, with their reasons. */
  errors: RowProblem[];
  /** All niches of the valid rows. */
  niches: Set<string>;
};

/**
 * Streams an analyzed file into the temporary table `import_rows`, which is dropped at the end of the transaction. Takes
 * no locks on shared tables.
 * @param context the file's new niches are added to its known niches
 * @throws AppError invalid_input if `signal` is aborted, or for more than 1,000 new niches
 */
export async function stageRows(
  tx: Transaction,
  path: string,
  context: RowContext,
  signal?: AbortSignal,
): Promise<StagedRows> {
  const staged: StagedRows = { usable: 0, skipped: 0, errors: [], niches: new Set() };
  // Created from the table itself, so that the column types always match.
  await tx.execute(
    sql`create temporary table import_rows on commit drop as select ${sql.raw(copiedColumns.join(', '))} from sites limit 0`,
  );
  const lines = async function* () {
    for await (const rows of readSiteRows(path, context)) {
      let text = '';
      for (const row of rows) {
        if ('problem' in row) {
          staged.skipped += 1;
          if (staged.errors.length < maxErrors) staged.errors.push(row.problem);
          continue;
        }
        staged.usable += 1;
        staged.niches.add(row.site.niche);
        text += formatCopyLine(row.site);
      }
      if (context.known.newNiches.length > maxNewNiches) throw tooManyNichesError();
      if (text !== '') yield Buffer.from(text);
    }
  };
  await pipeline(
    Readable.from(lines(), { objectMode: true }),
    await copyFromStdin(tx, 'import_rows', copiedColumns),
    ...(signal ? [{ signal }] : []),
  ).catch((thrown: unknown) => {
    throw signal?.aborted ? importCancelledError() : thrown;
  });
  return staged;
}

function tooManyNichesError(): AppError {
  const message = `The file contains more than ${maxNewNiches.toLocaleString('en-US')} new niches. Check its niche column.`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}

/** The largest bigint: the id of a row that is not stored yet. */
const maxId = 2n ** 63n - 1n;
const countResult = z.tuple([z.object({ count: z.number() })]);
const columns = sql.raw(copiedColumns.join(', '));
const figures = Object.entries(figureColumns);
const isFigure = (column: string) => figures.some(([, name]) => name === column);
/** The sources of a row's figures, which were typed today. */
const typedSources = sql.raw(
  `jsonb_strip_nulls(jsonb_build_object(${figures
    .map(([metric, column]) => `'${metric}', case when sites.${column} is not null then figure end`)
    .join(', ')}))`,
);
/** The figures of a staged row as rows of metric and value. */
const typedFigures = sql.raw(
  `(values ${figures.map(([metric, column]) => `('${metric}', sites.${column})`).join(', ')}) as typed (metric, value)`,
);

/** Selects the domains of the staged rows that a seller proved. */
export const provedDomains = sql`
  select domain from ${ownershipProofs} where verified_at is not null and domain in (select domain from import_rows)`;

/** Niches by the names that staged rows have instead. */
export type ReplacedNiches = ReadonlyMap<string, string>;

/**
 * Inserts the staged rows as sites of one owner, in file order and in one statement, and records their figures. A site of
 * a domain that has figures for all its listings begins with the best ones. Skips duplicates by owner, URL and post type,
 * both of existing sites and within the file.
 * @param source who entered the figures
 * @returns the number of sites inserted
 */
export async function insertStagedRows(
  tx: Executor,
  { ownerId, source, replaced }: { ownerId: string; source: TypedSource; replaced: ReplacedNiches },
): Promise<number> {
  // Not by an update of the rows, which would lose their order.
  const niche =
    replaced.size === 0
      ? sql`sites.niche`
      : sql`coalesce(${JSON.stringify(Object.fromEntries(replaced))}::text::jsonb ->> sites.niche, sites.niche)`;
  const values = copiedColumns.map((column) => {
    if (column === 'niche') return niche;
    return sql.raw(isFigure(column) ? `coalesce(best.${column}, sites.${column})` : `sites.${column}`);
  });
  // Newer than all rows of the domain.
  const own = sql`
    select metric, ${source}::text as source, value, ${today} as as_of, ${sql.raw(String(maxId))}::bigint as id
    from ${typedFigures} where value is not null`;
  // Before the rows, for whose unique keys another transaction that has locked a domain may wait.
  await lockDomains(tx, source === 'staff' ? 'exclusive' : 'shared', sql`select domain from import_rows`);
  await tx.execute(
    sql`create temporary table import_sites (id integer, domain text, url_key text, post_type text) on commit drop`,
  );
  const rows = await tx.execute(sql`
    with written as (
      insert into sites (owner_id, figure_sources, ${columns})
      select ${ownerId}::text, coalesce(best.figure_sources, ${typedSources}), ${sql.join(values, sql`, `)}
      from import_rows as sites
      cross join jsonb_build_object('source', ${source}::text, 'asOf', ${today}) figure
      left join lateral (
        select figures.* from (
          select where exists (select from domain_figures where domain_figures.domain = sites.domain and site_id is null)
        ) as of_domain
        cross join lateral (${selectBestRow(own)}) as figures
      ) as best on true
      on conflict (owner_id, url_key, post_type) where deleted_at is null do nothing
      returning id, domain, url_key, post_type
    ), kept as (
      insert into import_sites select * from written
    )
    select count(*)::integer as count from written`);
  await recordImportedFigures(tx, source);
  return countResult.parse([...rows])[0].count;
}

/** Records the figures of `import_sites`, and those of staff for the other listings of their domains. */
async function recordImportedFigures(tx: Executor, source: TypedSource): Promise<void> {
  // A site has the first of the rows with its address, and may have better figures than those of the row.
  await tx.execute(sql`
    insert into domain_figures (domain, metric, value, source, as_of, site_id)
    select sites.domain, metric, value, ${source}, ${today}, case when ${source === 'seller'} then import_sites.id end
    from import_sites
    join (select distinct on (url_key, post_type) * from import_rows order by url_key, post_type, ctid) as sites
      using (url_key, post_type)
    cross join lateral ${typedFigures}
    where value is not null
    order by import_sites.id`);
  if (source === 'seller') return;
  // The imported ones are ranked already, unless the file has several of a domain.
  await tx.execute(sql`
    create temporary table import_siblings on commit drop as
    select sites.id from sites left join import_sites using (id)
    where sites.domain in (select domain from import_sites) and deleted_at is null
      and (import_sites.id is null
        or sites.domain in (select domain from import_sites group by domain having count(*) > 1))`);
  await refreshListings(tx, sql`sites.id in (select id from import_siblings)`);
}

/** Counts the staged rows that `insertStaged` would insert. */
export async function countStagedRows(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx.execute(sql`
    select count(*)::integer as count
    from (select distinct url_key, post_type from import_rows) as wanted
    where not exists (
      select from sites
      where owner_id = ${ownerId} and deleted_at is null
        and sites.url_key = wanted.url_key and sites.post_type = wanted.post_type
    )`);
  return countResult.parse([...rows])[0].count;
}
