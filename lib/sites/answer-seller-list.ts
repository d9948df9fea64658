import { z } from 'zod';
import { siteStatuses } from '../../db/schema/sites';
import type { Actor } from '../auth/actor';
import { listResponse } from '../http/list-response';
import { allSellerSites, countSellerSites } from './seller-queries';
import { sellerSiteView } from './seller-view';

/** GET /api/seller/sites: without a limit the whole list is answered. */
export const sellerSitesQuery = z.object({
  q: z.string().trim().max(200).optional(),
  status: z.enum(siteStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** Answers GET /api/seller/sites. @throws AppError rate_limited for a long list without a limit */
export const answerSellerList = (actor: Actor, query: z.output<typeof sellerSitesQuery>) =>
  listResponse({
    caller: actor,
    limit: query.limit,
    rows: allSellerSites(actor.userId, query),
    count: (on) => countSellerSites(actor.userId, query, on),
    view: sellerSiteView,
  });
