import { NextResponse } from 'next/server';
import { z } from 'zod';
import { siteStatuses } from '@/db/schema/sites';
import { totalCount } from '@/lib/http/answer-headers';
import { route } from '@/lib/http/route';
import { sellerSiteAnswer } from '@/lib/sites/answers';
import { createOwnSite } from '@/lib/sites/create-own';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { listSellerSites } from '@/lib/sites/seller-queries';
import { sellerSiteView } from '@/lib/sites/seller-view';

const query = z.object({
  q: z.string().trim().max(200).optional(),
  status: z.enum(siteStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** The seller's own sites: the whole list, or with `limit` one page of it and the total in X-Total-Count. */
export const GET = route(
  {
    access: 'seller',
    summary: "The seller's own sites.",
    answer: z.array(sellerSiteAnswer),
    answerHeaders: totalCount,
    query,
  },
  async ({ actor, query }) => {
    const { rows, total } = await listSellerSites(actor.userId, query);
    return NextResponse.json(rows.map(sellerSiteView), { headers: { 'X-Total-Count': String(total) } });
  },
);

export const POST = route(
  {
    access: 'seller',
    summary: 'Lists a site of the seller, to be reviewed.',
    answer: sellerSiteAnswer,
    status: 201,
    errors: ['conflict', 'not_configured'],
    body: ownSiteBody,
  },
  async ({ actor, body }) => sellerSiteView(await createOwnSite(actor, body)),
);
