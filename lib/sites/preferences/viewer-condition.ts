import { type SQL, sql } from 'drizzle-orm';
import { type SiteMarkKind, siteMarks } from '../../../db/schema/site-preferences';
import { sites } from '../../../db/schema/sites';
import type { Catalogue } from '../catalogue/catalogue';
import { countListed, type ListedCount } from '../catalogue/count-listed';
import { type ListedPage, listListedPage } from '../catalogue/listed-page';
import type { SitesQuery } from '../catalogue/schemas';

/** Whose list it is, and which part of it: what they did not hide, their favourites, or what they hid. */
export type Viewer = { userId: string; show: 'all' | 'favourites' | 'hidden' };

/**
 * The condition that makes the catalogue one person's. Favourites and hidden sites are few beside the catalogue: they
 * are read first, and their sites by key. Of all others, each row of a page is looked up among the person's hidden
 * ones, so that the list is still read along its own index.
 */
export function viewerCondition({ userId, show }: Viewer): SQL {
  if (show === 'all') {
    return sql`not exists (select 1 from ${siteMarks} where ${ofPerson(userId, 'hidden')} and ${siteMarks.siteId} = ${sites.id})`;
  }
  const kind = show === 'hidden' ? 'hidden' : 'favourite';
  return sql`${sites.id} = any(array(select ${siteMarks.siteId} from ${siteMarks} where ${ofPerson(userId, kind)}))`;
}

function ofPerson(userId: string, kind: SiteMarkKind): SQL {
  return sql`${siteMarks.userId} = ${userId} and ${siteMarks.kind} = ${kind}`;
}

/** How many sites of a person's catalogue match, at most 1,000. */
export function countForViewer(query: SitesQuery, viewer: Viewer): Promise<ListedCount> {
  return countListed(query, 'capped', viewerCondition(viewer));
}

type ViewerPage = ListedPage & ListedCount;

/**
 * A page of the catalogue as one person sees it, and how many match (at most 1,000 are counted). Whoever hid nothing
 * sees what everybody sees, from the memory that all share; another person's list is asked for anew and remembered
 * nowhere.
 * @param hidden how many sites of the list the person hid
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
  const also = viewerCondition(viewer);
  const [page, counted] = await Promise.all([listListedPage(query, also), countListed(query, 'capped', also)]);
  return { ...page, ...counted };
}
