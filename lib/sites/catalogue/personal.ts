import { and, not, type SQL, sql } from 'drizzle-orm';
import type { Freshness } from '@/db/replicas';
import { accountMembers } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { blocksAny, isBlocked, isOnlyBlocked } from '@/lib/projects/blocked-domains';
import { findLinked, isNotLinked } from '@/lib/projects/linked-domains/find-linked';
import { flagOffMarker, flags, selectIfFlagOn } from '@/lib/settings/feature-flags';
import type { Linked } from '@/lib/sites/responses';
import { catalogueVersion, isAtVersion } from './catalogue-version';
import type { SitesQuery } from './schemas';

/** The buyer whose catalog is read. */
export type CatalogueBuyer = Pick<Actor, 'seen'> & {
  accountId: string;
  /** Whether the buyer blocks a domain, for any project. */
  hasBlocks: boolean;
};

const blocksMark = ' blocks';

/** One text for `alongside`: the version of the catalog, and whether the account of the outer query blocks a domain. */
export const catalogueState = selectIfFlagOn(
  'marketplace',
  sql<string>`${catalogueVersion} || case when ${blocksAny(sql`coalesce(${accountMembers.accountId}, ${users.id})`)} then ${sql.raw(`'${blocksMark}'`)} else '' end`,
);

export type CatalogueState = { version: string; hasBlocks: boolean };

/** Parses the text of `catalogueState`. @throws AppError not_configured while the marketplace is turned off */
export function parseCatalogueState(text: string | null): CatalogueState {
  if (text === null) throw new Error('The state of the catalog was not read.');
  if (text === flagOffMarker) throw new AppError('not_configured', flags.marketplace.off);
  const hasBlocks = text.endsWith(blocksMark);
  return { version: hasBlocks ? text.slice(0, -blocksMark.length) : text, hasBlocks };
}

/**
 * Builds the condition that a query has for one buyer only: blocked domains are left out, except of a list of ids, or
 * listed alone; what links to the project is left out on request. A list with this condition must not be cached for all.
 * @returns undefined if the buyer's list is that of every buyer
 */
export function buildBuyerCondition(query: SitesQuery, { accountId, hasBlocks }: CatalogueBuyer): SQL | undefined {
  const { projectId, hideLinked, blocked, ids } = query;
  const scope = { accountId, projectId };
  return and(
    blocked ? isOnlyBlocked(scope) : hasBlocks && !ids ? not(isBlocked(scope)) : undefined,
    hideLinked === '1' && projectId !== undefined ? isNotLinked(projectId) : undefined,
  );
}

/** What a replica must show of the catalog and of the buyer's own marks and lists; without `seen` the primary is read. */
export const freshForBuyer = (version: string, { seen }: Pick<Actor, 'seen'>): Freshness =>
  seen ? { seen, proof: isAtVersion(version) } : {};

/** Returns the part of a query that is equal for all buyers, by which the shared caches are read. */
export function toSharedQuery(query: SitesQuery): SitesQuery {
  const { projectId, hideLinked, blocked, ...shared } = query;
  return shared;
}

/** Adds to each site whether it links to the project of a query; nothing without a project. */
export async function markLinked<Row extends { domain: string; linked?: Linked }>(
  rows: readonly Row[],
  { projectId, hideLinked }: Pick<SitesQuery, 'projectId' | 'hideLinked'>,
): Promise<Row[]> {
  if (projectId === undefined) return [...rows];
  const domains = hideLinked === '1' ? [] : rows.map(({ domain }) => domain);
  const linked = await findLinked(projectId, domains);
  return rows.map((row) => ({ ...row, linked: linked.get(row.domain) ?? null }));
}
