import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { acceptOffer } from '@/lib/orders/placements/fulfill';
import { versionBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Accepts an offered order.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict'],
    body: versionBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
      acceptOffer(tx, actor, locked, { role: 'seller' }),
    );
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
