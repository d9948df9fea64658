import { route } from '@/lib/auth/route';
import { linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/queries';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { orderIdParams } from '@/lib/orders/order/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Reports the repair of a link, which is checked at once.',
    response: linkCheckResponse,
    errors: ['not_found', 'conflict', 'rate_limited'],
  },
  async ({ actor, params }) =>
    linkCheckView(await checkLinkNow(actor, params.id, { sellerId: actor.userId }, 'repair')),
);
