import { type SQL, sql } from 'drizzle-orm';
import type { CappedCount } from '@/db/count-up-to';
import { prepared } from '@/db/prepared';
import { rowsAsJson } from '@/db/rows-as-json';
import { type SiteMarkKind, siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import { type ProjectChoiceRow, selectProjectChoices } from '@/lib/projects/projects';
import type { Catalogue } from '@/lib/sites/catalogue/catalogue';
import { catalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { countListed, type ListedPage, listListedPage } from '@/lib/sites/catalogue/listed-sites';
import type { SitesQuery } from '@/lib/sites/catalogue/schemas';
import { type Taxonomy, taxonomyFields } from '@/lib/taxonomy/queries';
import { buildPreferences, type Preferences, selectPreferences } from './preferences';

/** The data of a user's marketplace page, except its sites. */
type MarketplaceData = Taxonomy & {
  /** The catalogue's version. Data read after it is at this version or a newer one. */
  version: string;
  preferences: Preferences;
  projects: ProjectChoiceRow[];
};

/** Reads everything that a user's marketplace page needs before its sites, in one round trip. */
export async function getMarketplaceData(userId: string): Promise<MarketplaceData> {
  const [row] = await statement().execute({ userId });
  if (!row) throw new Error('The query for the marketplace returned no row.');
  const { savedFilters, columns, marks, ...facts } = row;
  return { ...facts, preferences: buildPreferences({ savedFilters, columns, marks }) };
}

const userIdPlaceholder = sql.placeholder('userId');

const statement = prepared((on) =>
  on
    .select({
      ...taxonomyFields(on),
      ...selectPreferences(on, userIdPlaceholder),
      projects: rowsAsJson(selectProjectChoices(on, userIdPlaceholder)),
      version: catalogueVersion.as('version'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('marketplace_facts'),
);

/** The user and the part of the catalogue to list: sites that are not hidden, favourites, or hidden sites. */
export type Viewer = { userId: string; show: 'all' | 'favourites' | 'hidden' };

/**
 * Builds the condition that applies a user's marks to the catalogue. Favourites and hidden sites are few, so they are
 * read first and joined by key. For the remaining catalogue, each row is checked against the user's hidden sites, which
 * lets PostgreSQL read the list along its index.
 */
export function buildViewerCondition({ userId, show }: Viewer): SQL {
  if (show === 'all') {
    return sql`not exists (select 1 from ${siteMarks} where ${marksOfUser(userId, 'hidden')} and ${siteMarks.siteId} = ${sites.id})`;
  }
  const kind = show === 'hidden' ? 'hidden' : 'favourite';
  return sql`${sites.id} = any(array(select ${siteMarks.siteId} from ${siteMarks} where ${marksOfUser(userId, kind)}))`;
}

function marksOfUser(userId: string, kind: SiteMarkKind): SQL {
  return sql`${siteMarks.userId} = ${userId} and ${siteMarks.kind} = ${kind}`;
}

/** Counts the matching sites in a user's catalogue, up to 1,000. */
export function countForViewer(query: SitesQuery, viewer: Viewer): Promise<CappedCount> {
  return countListed(query, 'capped', buildViewerCondition(viewer));
}

type ViewerPage = ListedPage & CappedCount;

/**
 * Lists a page of the catalogue as a user sees it, with the number of matches up to 1,000. A user without hidden sites
 * reads from the shared cache; a personal list is queried each time and not cached.
 * @param hidden the number of sites in the list that the user has hidden
 */
export async function listForViewer(
  catalogue: Catalogue,
  query: SitesQuery,
  viewer: Viewer,
  hidden: number,
): Promise<ViewerPage> {
  if (viewer.show === 'all' && hidden === 0) {
    const [page, counted] = await Promise.all([catalogue.page(query), catalogue.count(query, 'capped')]);
    return { ...page, ...counted };
  }
  const also = buildViewerCondition(viewer);
  const [page, counted] = await Promise.all([listListedPage(query, also), countListed(query, 'capped', also)]);
  return { ...page, ...counted };
}
