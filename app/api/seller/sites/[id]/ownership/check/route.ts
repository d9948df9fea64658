import { route } from '@/lib/auth/route';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { checkOwnership } from '@/lib/sites/ownership/check';
import { ownershipCheckResponse } from '@/lib/sites/ownership/contract';

export const POST = route(
  {
    access: 'seller',
    params: siteIdParams,
    summary: 'Checks whether the seller proves the domain of one of their sites, by all methods.',
    response: ownershipCheckResponse,
    errors: ['not_found', 'rate_limited'],
  },
  ({ actor, params }) => checkOwnership(actor, params.id),
);
