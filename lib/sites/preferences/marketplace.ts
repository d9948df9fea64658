import { and, type SQL, sql } from 'drizzle-orm';
import type { CappedCount } from '@/db/count-up-to';
import { prepared } from '@/db/prepared';
import { onReplica, type Reading } from '@/db/replicas';
import { rowsAsJson } from '@/db/rows-as-json';
import { type SiteMarkKind, siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { blocksAny } from '@/lib/projects/blocked-domains';
import { type ProjectChoiceRow, selectProjectChoices } from '@/lib/projects/projects';
import type { Catalogue } from '@/lib/sites/catalogue/catalogue';
import { catalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { countListed, type ListedPage, listListedPage } from '@/lib/sites/catalogue/listed-sites';
import {
  buildBuyerCondition,
  type CatalogueBuyer,
  freshForBuyer,
  markLinked,
  toSharedQuery,
} from '@/lib/sites/catalogue/personal';
import type { SiteFilter, SitesQuery } from '@/lib/sites/catalogue/schemas';
import { type Taxonomy, taxonomyFields } from '@/lib/taxonomy/queries';
import { buildPreferences, type Preferences, selectPreferences } from './preferences';

/** The data of a user's marketplace page, except its sites. */
type MarketplaceData = Taxonomy & {
  /** The catalogue's version. Data read after it is at this version or a newer one. */
  version: string;
  preferences: Preferences;
  projects: ProjectChoiceRow[];
  /** Whether the user blocks a domain, for any project. */
  hasBlocks: boolean;
};

/**
 * Reads everything that a user's marketplace page needs before its sites, in one round trip.
 * @param projectId the current project, whose block list applies too
 */
export async function getMarketplaceData(
  { userId, accountId, projectIds }: Pick<Actor, 'userId' | keyof AccountScope>,
  projectId?: string,
): Promise<MarketplaceData> {
  const [row] = await statement().execute({ userId, accountId, projectIds, projectId: projectId ?? null });
  if (!row) throw new Error('The query for the marketplace returned no row.');
  const { savedFilters, columns, query, marks, ...facts } = row;
  return { ...facts, preferences: buildPreferences({ savedFilters, columns, query, marks }) };
}

const accountPlaceholder = sql.placeholder('accountId');
const projectIdPlaceholder = sql.placeholder('projectId');

const statement = prepared((on) =>
  on
    .select({
      ...taxonomyFields(on),
      ...selectPreferences(on, {
        userId: sql.placeholder('userId'),
        accountId: accountPlaceholder,
        projectId: projectIdPlaceholder,
      }),
      projects: rowsAsJson(
        selectProjectChoices(on, { accountId: accountPlaceholder, projectIds: sql.placeholder('projectIds') }),
      ),
      version: catalogueVersion.as('version'),
      hasBlocks: blocksAny(accountPlaceholder).as('hasBlocks'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('marketplace_facts'),
);

/** The user and the part of the catalogue to list: sites that are not hidden, favourites, or hidden sites. */
export type Viewer = CatalogueBuyer & { show: 'all' | 'favourites' | 'hidden' };

/**
 * Builds the condition that applies a user's marks to the catalogue. Favourites and hidden sites are few, so they are
 * read first and joined by key. For the remaining catalogue, each row is checked against the user's hidden sites, which
 * lets PostgreSQL read the list along its index.
 */
export function buildViewerCondition({ accountId, show }: Pick<Viewer, 'accountId' | 'show'>): SQL {
  if (show === 'all') {
    return sql`not exists (select 1 from ${siteMarks} where ${marksOfUser(accountId, 'hidden')} and ${siteMarks.siteId} = ${sites.id})`;
  }
  const kind = show === 'hidden' ? 'hidden' : 'favourite';
  return sql`${sites.id} = any(array(select ${siteMarks.siteId} from ${siteMarks} where ${marksOfUser(accountId, kind)}))`;
}

function marksOfUser(accountId: string, kind: SiteMarkKind): SQL {
  return sql`${siteMarks.accountId} = ${accountId} and ${siteMarks.kind} = ${kind}`;
}

/**
 * Resolves the project of the marketplace's URL: a project that no longer exists, or of another user, is left out, and
 * what links to the project is hidden if the URL or else the setting of the project says so.
 * @param projects the user's projects
 */
export function applyProject(
  { projectId, hideLinked, ...filter }: SiteFilter,
  projects: readonly ProjectChoiceRow[],
): SiteFilter {
  const project = projects.find(({ id }) => id === projectId);
  if (!project) return filter;
  const hidesLinked = hideLinked === undefined ? project.hidesLinked : hideLinked === '1';
  return { ...filter, projectId: project.id, ...(hidesLinked && { hideLinked: '1' }) };
}

/** Counts the matching sites in a user's catalogue, up to 1,000. */
export function countForViewer(query: SitesQuery, viewer: Viewer): Promise<CappedCount> {
  return countListed(query, 'capped', and(buildViewerCondition(viewer), buildBuyerCondition(query, viewer)));
}

type ViewerPage = ListedPage & CappedCount;

/**
 * Lists a page of the catalogue as a user sees it, with the number of matches up to 1,000, and with what links to the
 * project of the query. A user without hidden sites and blocked domains reads from the shared cache; a personal list is
 * queried each time and not cached.
 * @param hidden the number of sites in the list that the user has hidden
 */
export async function listForViewer(
  catalogue: Catalogue,
  query: SitesQuery,
  viewer: Viewer,
  hidden: number,
): Promise<ViewerPage> {
  const ofMarks = viewer.show === 'all' && hidden === 0 ? undefined : buildViewerCondition(viewer);
  const also = and(ofMarks, buildBuyerCondition(query, viewer));
  const shared = toSharedQuery(query);
  const read = (on: Reading) =>
    Promise.all([listListedPage(shared, also, on), countListed(shared, 'capped', also, on)]);
  const [page, counted] = await (also
    ? onReplica(freshForBuyer(catalogue.version, viewer), read)
    : Promise.all([catalogue.page(shared), catalogue.count(shared, 'capped')]));
  return { ...page, rows: await markLinked(page.rows, query), ...counted };
}
