import { NextResponse } from 'next/server';
import type { Actor } from '@/lib/access/actor';
import type { CreateOrderResult } from '@/lib/orders/order/create';
import { getRequest } from './queries';

/** Answers an order: what was ordered, or with 202 the request that waits for an approval. */
export async function respondToOrder(
  actor: Actor,
  { requestId, ...created }: CreateOrderResult,
): Promise<NextResponse> {
  return requestId === undefined
    ? NextResponse.json(created, { status: 201 })
    : NextResponse.json({ request: await getRequest(actor, requestId) }, { status: 202 });
}
