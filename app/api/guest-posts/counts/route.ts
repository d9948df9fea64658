import { route } from '@/lib/auth/route';
import { requireFlag } from '@/lib/settings/feature-flags';
import { countByFilter, filterCountsResponse } from '@/lib/sites/catalogue/filter-counts';
import { siteFilter } from '@/lib/sites/catalogue/schemas';

/** The numbers beside the marketplace's filters. */
export const GET = route(
  {
    access: 'session',
    summary: 'Counts approved sites for each option of the filters.',
    description:
      'The number of an option is what the list would have with this filter changed to it and all others as they are. Above 5,000 sites, the numbers are estimates.',
    query: siteFilter.omit({ sort: true, order: true }),
    response: filterCountsResponse,
    errors: ['not_configured'],
  },
  async ({ query }) => {
    await requireFlag('marketplace');
    return countByFilter(query);
  },
);
