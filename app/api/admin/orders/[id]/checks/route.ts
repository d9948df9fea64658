import { route } from '@/lib/auth/route';
import { checkLinkNow } from '@/lib/orders/link-checks/check-now';
import { checksQuery, listChecks } from '@/lib/orders/link-checks/queries';
import { linkCheckResponse, linkChecksResponse, linkCheckView } from '@/lib/orders/link-checks/responses';
import { getAdminOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';

export const GET = route(
  {
    access: 'ManageOrders',
    params: orderIdParams,
    query: checksQuery,
    summary: "Lists the checks of an order's link, newest first.",
    response: linkChecksResponse,
    errors: ['not_found'],
  },
  async ({ params, query }) => {
    await getAdminOrder(params.id);
    return (await listChecks(params.id, query)).map(linkCheckView);
  },
);

export const POST = route(
  {
    access: 'ManageOrders',
    params: orderIdParams,
    summary: "Checks an order's link at once.",
    response: linkCheckResponse,
    errors: ['not_found', 'conflict', 'rate_limited'],
  },
  async ({ actor, params }) => linkCheckView(await checkLinkNow(actor, params.id, 'staff', 'staff')),
);
