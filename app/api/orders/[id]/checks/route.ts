import { route } from '@/lib/auth/route';
import {
  checksQuery,
  linkCheckResponse,
  linkChecksResponse,
  linkCheckView,
  listChecks,
} from '@/lib/orders/link-checks/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';

export const GET = route(
  {
    access: 'session',
    params: orderIdParams,
    query: checksQuery,
    summary: "Lists the checks of the own order's link, newest first.",
    response: linkChecksResponse,
    errors: ['not_found'],
  },
  async ({ actor, params, query }) => {
    await getOrder(actor, params.id);
    return (await listChecks(params.id, query)).map(linkCheckView);
  },
);

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    params: orderIdParams,
    summary: "Checks the own order's link at once.",
    response: linkCheckResponse,
    errors: ['not_found', 'conflict', 'rate_limited'],
  },
  async ({ actor, params }) => linkCheckView(await checkLinkNow(actor, params.id, { buyerId: actor.userId }, 'buyer')),
);
