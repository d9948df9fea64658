import 'server-only';
import { route } from '@/lib/auth/route';
import { getAdminOrder, getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { checksQuery, linkCheckResponse, linkChecksResponse, linkCheckView, listChecks } from './queries';
import { checkLinkNow } from './run';

const declarations = {
  buyer: { access: 'account:orders', whose: 'the own' },
  staff: { access: 'ManageOrders', whose: 'an' },
} as const;

/** Creates the routes that list the checks of an order's link and check it at once, for one side. */
export function createCheckRoutes(side: 'buyer' | 'staff') {
  const { access, whose } = declarations[side];
  return {
    GET: route(
      {
        access,
        params: orderIdParams,
        query: checksQuery,
        summary: `Lists the checks of ${whose} order's link, newest first.`,
        response: linkChecksResponse,
        errors: ['not_found'],
      },
      async ({ actor, params, query }) => {
        await (side === 'staff' ? getAdminOrder(params.id) : getOrder(actor, params.id));
        return (await listChecks(params.id, query)).map(linkCheckView);
      },
    ),
    POST: route(
      {
        access,
        scope: side === 'buyer' ? 'orders:write' : undefined,
        params: orderIdParams,
        summary: `Checks ${whose} order's link at once.`,
        response: linkCheckResponse,
        errors: ['not_found', 'conflict', 'rate_limited'],
      },
      async ({ actor, params }) =>
        linkCheckView(await checkLinkNow(actor, params.id, side === 'staff' ? 'staff' : { buyer: actor }, side)),
    ),
  };
}
