import { countListed, type ListedCount } from '../count-listed';
import type { SitesQuery } from '../schemas';
import { type Viewer, viewerCondition } from './viewer-condition';

/** How many sites of a person's catalogue match, at most 1,000. */
export function countForViewer(query: SitesQuery, viewer: Viewer): Promise<ListedCount> {
  return countListed(query, 'capped', viewerCondition(viewer));
}
