import { type SQL, sql } from 'drizzle-orm';
import { type SiteMarkKind, siteMarks } from '../../../db/schema/site-preferences';
import { sites } from '../../../db/schema/sites';

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
