import { NextResponse } from 'next/server';
import type { Actor } from '@/lib/access/actor';
import type { CreateOrderResult } from '@/lib/orders/order/create';
import { getRequest } from './queries';

type Created = Omit<CreateOrderResult, 'requestId'>;

/**
 * Answers an order: what was ordered, or with 202 the request that waits for an approval, which the route declares with
 * `holds`.
 */
export async function respondToOrder(
  actor: Actor,
  { requestId, ...created }: CreateOrderResult,
): Promise<NextResponse<Created>> {
  if (requestId === undefined) return NextResponse.json(created, { status: 201 });
  const held = JSON.stringify({ request: await getRequest(actor, requestId) });
  return new NextResponse<Created>(held, { status: 202, headers: { 'Content-Type': 'application/json' } });
}
