import { route } from '@/lib/auth/route';
import { checkLinkNow } from '@/lib/orders/link-checks/check-now';
import { linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/responses';
import { orderIdParams } from '@/lib/orders/schemas';

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
