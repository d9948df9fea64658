import { route } from '@/lib/auth/route';
import { createdLinkResponse, createLinkBody } from '@/lib/orders/requests/client-contract';
import { createLink, revokeLink } from '@/lib/orders/requests/client-link';
import { requestIdParams } from '@/lib/orders/requests/contract';

export const POST = route(
  {
    access: 'account:requests',
    scope: 'orders:write',
    params: requestIdParams,
    body: createLinkBody,
    status: 201,
    summary: 'Creates the link with which a client without an account approves or strikes the lines of a request.',
    description:
      'Replaces the link before, which stops working. For members who may approve the request: the answer of the client orders the approved lines. The client sees the prices of the agency only. The whole request counts against the daily limit of an API token.',
    response: createdLinkResponse,
    errors: ['not_found', 'conflict'],
  },
  ({ actor, params, body }) => createLink(actor, params.id, body),
);

export const DELETE = route(
  {
    access: 'account:requests',
    scope: 'orders:write',
    params: requestIdParams,
    summary: 'Revokes the link of a request: its address stops working.',
    errors: ['not_found'],
  },
  ({ actor, params }) => revokeLink(actor, params.id),
);
