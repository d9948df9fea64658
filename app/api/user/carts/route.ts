import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { cartResponse, cartsResponse, createCartBody } from '@/lib/orders/carts/contract';
import { createCart } from '@/lib/orders/carts/create';
import { getCart, listCarts } from '@/lib/orders/carts/queries';

export const GET = route(
  {
    access: 'account:orders',
    summary: "Lists the caller's carts without their sites, the one last changed first.",
    response: cartsResponse,
  },
  ({ actor }) => listCarts(actor),
);

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Creates the cart of a project, or the one without a project.',
    response: cartResponse,
    status: 201,
    finds: 'The cart exists. Its name is not changed.',
    errors: ['not_found', 'conflict'],
    body: createCartBody,
  },
  async ({ actor, body }) => {
    const { id, isNew } = await createCart(actor, body);
    return NextResponse.json(await getCart(actor, id), { status: isNew ? 201 : 200 });
  },
);
