import { NextResponse } from 'next/server';
import { idempotencyKeyField } from '@/lib/http/idempotency-key-field';
import { parseInput } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { deliverSoon } from '@/lib/mail/deliver-soon';
import { createOrder } from '@/lib/orders/create';
import { listOrders } from '@/lib/orders/queries';
import { createOrderBody, ownOrdersQuery } from '@/lib/orders/schemas';
import { orderView } from '@/lib/orders/views';

/** The caller's own orders, newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route({ access: 'session', query: ownOrdersQuery }, async ({ actor, query }) => {
  const { rows, total } = await listOrders(actor, query);
  return NextResponse.json(rows.map(orderView), { headers: { 'X-Total-Count': String(total) } });
});

export const POST = route({ access: 'session', body: createOrderBody }, async ({ actor, body, request }) => {
  const key = parseInput(idempotencyKeyField, request.headers.get('idempotency-key'));
  const made = await createOrder(actor, body, key);
  deliverSoon();
  return NextResponse.json(made, { status: 201 });
});
