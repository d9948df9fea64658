import { route } from '@/lib/auth/route';
import { cartIdParams, cartResponse, updateCartBody } from '@/lib/orders/carts/contract';
import { getCart } from '@/lib/orders/carts/queries';
import { deleteCart, renameCart } from '@/lib/orders/carts/update';

const one = { access: 'account:orders', params: cartIdParams } as const;
const change = { ...one, scope: 'orders:write' } as const;

export const GET = route(
  {
    ...one,
    summary:
      "Returns one of the caller's carts, with the current prices of its sites and what is wrong with its briefs.",
    response: cartResponse,
    errors: ['not_found'],
  },
  ({ actor, params }) => getCart(actor, params.id),
);

export const PATCH = route(
  {
    ...change,
    summary: "Renames one of the caller's carts.",
    response: cartResponse,
    errors: ['not_found', 'conflict'],
    body: updateCartBody,
  },
  ({ actor, params, body }) => renameCart(actor, params.id, body),
);

export const DELETE = route(
  { ...change, summary: "Deletes one of the caller's carts.", errors: ['not_found'] },
  ({ actor, params }) => deleteCart(actor, params.id),
);
