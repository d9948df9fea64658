import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { cartIdParams, orderCartBody } from '@/lib/orders/carts/contract';
import { orderCart } from '@/lib/orders/carts/order';
import { placesOrders, respondToOrder } from '@/lib/orders/requests/respond';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';

export const POST = route(
  {
    ...placesOrders,
    summary: 'Orders all sites of a cart, paid from the wallet, and empties the cart. All or nothing.',
    description:
      'Refused when a site cannot be ordered now (409) or a brief has problems (400): `fields` has the ids of the sites, or `12.anchor` for a field of the brief of site 12.',
    requestHeaders: idempotencyKeyHeader,
    params: cartIdParams,
    body: orderCartBody,
  },
  async ({ actor, params, body, request }) => {
    const created = await orderCart(actor, params.id, body, parseIdempotencyKey(request));
    deliverAfterResponse();
    return respondToOrder(actor, created);
  },
);
