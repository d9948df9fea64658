import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { createOrder } from '@/lib/orders/order/create';
import { respondWithOwnOrders } from '@/lib/orders/order/export';
import {
  createdOrdersResponse,
  createOrderBody,
  maxOrderBytes,
  orderResponse,
  ownOrdersQuery,
} from '@/lib/orders/order/schemas';
import { heldOrder } from '@/lib/orders/requests/contract';
import { respondToOrder } from '@/lib/orders/requests/respond';
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
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Creates orders for a package or for sites, paid from the wallet.',
    response: createdOrdersResponse,
    status: 201,
    holds: heldOrder,
    errors: [
      'insufficient_funds',
      'not_found',
      'conflict',
      'duplicate_site',
      'billing_incomplete',
      'policy',
      'not_configured',
    ],
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
