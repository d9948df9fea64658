import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/placements/act';
import { declineOffer } from '@/lib/orders/placements/answer-offer';
import { declineBody } from '@/lib/orders/placements/schemas';
import { sellerOrderView } from '@/lib/orders/placements/seller-queries';
import { sellerOrderResponse } from '@/lib/orders/responses';
import { orderIdParams } from '@/lib/orders/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Declines an offered order: the charge returns to the buyer.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict'],
    body: declineBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
      declineOffer(tx, actor, locked, { role: 'seller', reason: body.reason }),
    );
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
