import { NextResponse } from 'next/server';
import type { Actor } from '@/lib/access/actor';
import type { CreateOrderResult } from '@/lib/orders/order/create';
import { createdOrdersResponse } from '@/lib/orders/order/schemas';
import { heldOrder } from './contract';
import { getRequest } from './queries';

/** What the declarations of the routes that order have in common. */
export const placesOrders = {
  access: 'account:orders',
  scope: 'orders:write',
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
} as const;

type Created = Omit<CreateOrderResult, 'requestId'>;

/** Answers an order: what was ordered, or with 202 the request that waits for an approval. */
export async function respondToOrder(
  actor: Actor,
  { requestId, ...created }: CreateOrderResult,
): Promise<NextResponse<Created>> {
  if (requestId === undefined) return NextResponse.json(created, { status: 201 });
  const held = JSON.stringify({ request: await getRequest(actor, requestId) });
  return new NextResponse<Created>(held, { status: 202, headers: { 'Content-Type': 'application/json' } });
}
