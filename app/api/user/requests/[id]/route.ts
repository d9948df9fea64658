import { route } from '@/lib/auth/route';
import { requestIdParams, requestResponse } from '@/lib/orders/requests/contract';
import { getRequest } from '@/lib/orders/requests/queries';

export const GET = route(
  {
    access: 'account:requests',
    summary: 'Returns an order that waits for an approval or was answered.',
    response: requestResponse,
    params: requestIdParams,
    errors: ['not_found'],
  },
  ({ actor, params }) => getRequest(actor, params.id),
);
