import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { cursorHeaders } from '@/lib/platform/http/list-response';
import { createOwnSite } from '@/lib/sites/create';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { sellerSiteResponse } from '@/lib/sites/responses';
import { respondWithSellerSites, sellerSitesQuery } from '@/lib/sites/seller-queries';
import { sellerSiteView } from '@/lib/sites/seller-view';

/** Lists the seller's own sites. With `limit`, returns one page and the total in X-Total-Count. */
export const GET = route(
  {
    access: 'seller',
    summary: "Lists the seller's own sites.",
    response: z.array(sellerSiteResponse),
    responseHeaders: cursorHeaders,
    query: sellerSitesQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => respondWithSellerSites(actor, query),
);

export const POST = route(
  {
    access: 'seller',
    summary: 'Creates a site of the seller, to be reviewed.',
    response: sellerSiteResponse,
    status: 201,
    errors: ['conflict', 'not_configured'],
    body: ownSiteBody,
  },
  async ({ actor, body }) => sellerSiteView(await createOwnSite(actor, body)),
);
