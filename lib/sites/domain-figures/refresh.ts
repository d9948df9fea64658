import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { listingMetrics } from '@/db/enums';
import { figureColumns, sites } from '@/db/schema/sites';
import { lockDomains, namesOf } from './lock-domains';
import { selectBestFigures } from './rank';

/**
 * Sets the figures of all listings of domains to the best known ones, after figures of the domains were recorded. Raises
 * the version of listings with another value. Locks the domains, and then the listings in id order: a caller that has
 * already locked a listing must have locked the domains before it (`lockDomains`).
 * @param savedIds the listings whose version the caller raises
 */
export async function refreshSiteFigures(
  tx: Executor,
  domains: readonly string[],
  savedIds?: readonly number[],
): Promise<void> {
  if (domains.length === 0) return;
  await lockDomains(tx, 'exclusive', namesOf(domains));
  await refreshListings(tx, sql`${sites.domain} in (${namesOf(domains)})`, savedIds);
}

/**
 * Sets the figures of the listings that match a condition to the best known ones. For listings that the caller has locked
 * or is adding, and where no figures are written.
 * @param savedIds the listings whose version the caller raises
 * @returns the number of listings changed
 */
export async function refreshListings(tx: Executor, where: SQL, savedIds: readonly number[] = []): Promise<number> {
  const present = sql`${where} and ${sites.deletedAt} is null`;
  // A statement of its own: only the next one sees what the former holders of the locks have committed.
  await tx.execute(sql`
    select count(*) from (select from ${sites} where ${present} order by ${sites.id} for no key update) as locked`);
  const rows = await tx.execute(sql`
    with changed as (
      update ${sites}
      set ${assignments}, figure_sources = best.figure_sources,
        version = version + (
          ${sites.id} <> all(${sql.param(savedIds)}::integer[]) and (${current}) is distinct from (${known})
        )::integer
      from (
        select ${sites.id}, figures.* from ${sites} cross join lateral (${selectBestRow()}) as figures where ${present}
      ) as best
      where ${sites.id} = best.id
        and (${current}, ${sites.figureSources}) is distinct from (${known}, best.figure_sources)
      returning 1
    )
    select count(*)::integer as count from changed`);
  return counted.parse([...rows])[0].count;
}

/**
 * Selects the best figures of a row of `sites` in scope as one row, with the columns of `sites` and figure_sources.
 * @param own as of `selectBestFigures`
 */
export const selectBestRow = (own?: SQL): SQL => sql`
  select ${values},
    coalesce(jsonb_object_agg(metric, jsonb_build_object('source', source, 'asOf', as_of)), '{}') as figure_sources
  from (${selectBestFigures(listingMetrics, own)}) as figure`;

const counted = z.tuple([z.object({ count: z.number() })]);

const columns = listingMetrics.map((metric) => [metric, figureColumns[metric]] as const);
const list = (of: (column: string) => string) => sql.raw(columns.map(([, column]) => of(column)).join(', '));
const current = list((column) => `sites.${column}`);
const known = list((column) => `best.${column}`);
const assignments = list((column) => `${column} = best.${column}`);
const values = sql.raw(
  columns.map(([metric, column]) => `max(value) filter (where metric = '${metric}') as ${column}`).join(', '),
);
