import type { Catalogue } from '../catalogue';
import { countListed, type ListedCount } from '../count-listed';
import { type ListedPage, listListedPage } from '../listed-page';
import type { SitesQuery } from '../schemas';
import { type Viewer, viewerCondition } from './viewer-condition';

export type ViewerPage = ListedPage & ListedCount;

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
