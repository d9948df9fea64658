import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { releasePlacement } from '@/lib/orders/placements/review';
import { versionBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Agrees to a cancellation by the buyer.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict'],
    body: versionBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) => releasePlacement(tx, actor, locked));
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
