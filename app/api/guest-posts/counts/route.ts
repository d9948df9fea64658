import { route } from '@/lib/auth/route';
import { getProject } from '@/lib/projects/projects';
import { countByFilter, filterCountsResponse } from '@/lib/sites/catalogue/filter-counts';
import { catalogueState, parseCatalogueState } from '@/lib/sites/catalogue/personal';
import { linkedNeedsProject, siteFilter } from '@/lib/sites/catalogue/schemas';

/** The numbers beside the marketplace's filters. */
export const GET = route(
  {
    access: 'account:orders',
    summary: 'Counts approved sites for each option of the filters.',
    description:
      'The number of an option is what the list would have with this filter changed to it and all others as they are. Above 5,000 sites, the numbers are estimates.',
    query: siteFilter.omit({ sort: true, order: true }).refine(...linkedNeedsProject),
    alongside: catalogueState,
    response: filterCountsResponse,
    errors: ['not_found', 'not_configured'],
  },
  async ({ actor, query, alongside }) => {
    const { version, hasBlocks } = parseCatalogueState(alongside);
    if (query.projectId !== undefined) await getProject(actor, query.projectId);
    return countByFilter(query, { accountId: actor.accountId, hasBlocks }, version);
  },
);
