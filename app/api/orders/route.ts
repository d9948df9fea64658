import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { createOrder } from '@/lib/orders/order/create';
import { respondWithOwnOrders } from '@/lib/orders/order/export';
import { createOrderBody, maxOrderBytes, orderResponse, ownOrdersQuery } from '@/lib/orders/order/schemas';
import { placesOrders, respondToOrder } from '@/lib/orders/requests/respond';
import { totalCount } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';

export const GET = route(
  {
    access: 'account:orders',
    summary: "Lists the caller's own orders, newest first.",
    response: z.array(orderResponse),
    responseHeaders: totalCount,
    query: ownOrdersQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => respondWithOwnOrders(actor, query),
);

export const POST = route(
  {
    ...placesOrders,
    summary: 'Creates orders for a package or for sites, paid from the wallet.',
    requestHeaders: idempotencyKeyHeader,
    body: createOrderBody,
    maxBodyBytes: maxOrderBytes,
  },
  async ({ actor, body, request }) => {
    const key = parseIdempotencyKey(request);
    const created = await createOrder(actor, body, key);
    deliverAfterResponse();
    return respondToOrder(actor, created);
  },
);
