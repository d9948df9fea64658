import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { cursorHeaders } from '@/lib/platform/http/list-response';
import { catalogueState, parseCatalogueState } from '@/lib/sites/catalogue/personal';
import { respondWithCatalogue, respondWithStaffList } from '@/lib/sites/catalogue/respond-with-catalogue';
import { sitesQuery } from '@/lib/sites/catalogue/schemas';
import { createSite } from '@/lib/sites/create';
import { createSiteBody } from '@/lib/sites/edit-schemas';
import { adminSiteResponse, publicSiteResponse } from '@/lib/sites/responses';
import { adminSiteView } from '@/lib/sites/views';

const listing = {
  access: 'account:orders',
  summary: 'Lists approved sites; with ManageSites, all sites with all fields.',
  description:
    'The total is counted only if a limit is given, and up to 1,000 with `total=capped` or `hideLinked=1`. Sites of domains that the caller blocks are left out, except with `ids` or `blocked=1`, and for callers with ManageSites.',
  query: sitesQuery,
  alongside: catalogueState,
  response: { mediaTypes: [], orJson: z.union([z.array(publicSiteResponse), z.array(adminSiteResponse)]) },
  responseHeaders: cursorHeaders,
  isRevalidated: true,
  errors: ['not_found', 'not_configured', 'rate_limited'],
} as const;

/** Lists every site with every field for staff who manage sites, and the public catalogue for other users. */
export const GET = route(listing, async ({ actor, query, request, alongside }) =>
  hasPermission(actor, 'ManageSites')
    ? respondWithStaffList(actor, query)
    : respondWithCatalogue(actor, query, request.headers, parseCatalogueState(alongside)),
);

export const POST = route(
  {
    access: 'ManageSites',
    summary: 'Creates a site.',
    response: adminSiteResponse,
    status: 201,
    errors: ['conflict', 'not_configured'],
    body: createSiteBody,
  },
  async ({ actor, body }) => adminSiteView(await createSite(actor, body)),
);
