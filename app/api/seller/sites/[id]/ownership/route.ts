import { route } from '@/lib/auth/route';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { ownershipResponse } from '@/lib/sites/ownership/contract';
import { getSiteOwnership, ownershipView } from '@/lib/sites/ownership/show';

export const POST = route(
  {
    access: 'seller',
    params: siteIdParams,
    summary: "Returns how the seller proves the domain of one of their sites, with the seller's token.",
    response: ownershipResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => ownershipView(await getSiteOwnership(actor.userId, params.id)),
);
