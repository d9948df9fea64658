import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import { orderRequests } from '@/db/schema/order-requests';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { BriefInput } from '@/lib/orders/briefs/schemas';
import { type CreateOrderResult, createOrder, findOrderAnswer } from '@/lib/orders/order/create';
import type { CreateOrderInput } from '@/lib/orders/order/schemas';
import type { Cart, OrderCartInput } from './contract';
import { cartChangedError, lockCart } from './lock';
import { getCart } from './queries';
import { readCartBrief } from './read-brief';

/**
 * Orders all sites of a cart of the actor and empties the cart, all or nothing.
 * @param idempotencyKey a repeat with the same key and request returns the first answer and orders nothing
 * @throws AppError not_found, also for a cart of another user; invalid_input without a project or a site, and for an
 * invalid brief; conflict for a site that cannot be ordered now, and for a cart that was changed since `version` or
 * changes meanwhile; duplicate_site
 * unless `allowDuplicates`; and those of `createOrder`. The fields of an error are site ids, `12.anchor` for a brief.
 */
export async function orderCart(
  actor: Actor,
  id: string,
  { shownTotalCents, version, ...input }: OrderCartInput,
  idempotencyKey: string | null = null,
): Promise<CreateOrderResult> {
  const { projectId, allowDuplicates = false } = input;
  const request = { cart: id, projectId, allowDuplicates };
  let cart: Cart;
  let order: CreateOrderInput;
  try {
    cart = await getCart(actor, id);
    if (version !== undefined && version !== cart.version) throw cartChangedError(cart);
    order = { ...toOrder(cart, projectId), rejectDuplicates: !allowDuplicates, shownTotalCents };
  } catch (thrown) {
    // The first request emptied the cart, which can be deleted since.
    const first = idempotencyKey === null ? null : await findOrderAnswer(actor, idempotencyKey, request);
    if (first) return first;
    throw thrown;
  }
  return createOrder(actor, order, idempotencyKey, {
    request,
    prepare: (tx) => lockCart(tx, actor, id, cart.version),
    // Not before the orders: a member who sees certain projects may use the articles of colleagues that the cart names.
    finish: (tx, requestId) => removeItems(tx, cart, requestId),
  });
}

/** Converts a cart to the order of all its sites. @throws AppError when one of them cannot be ordered */
function toOrder({ projectId: own, items }: Cart, projectId = own): Extract<CreateOrderInput, { kind: 'custom' }> {
  if (projectId === null) {
    const message = 'Select a project.';
    throw new AppError('invalid_input', message, { fields: { projectId: message } });
  }
  if (items.length === 0) throw new AppError('invalid_input', 'No site selected.');
  const fields: Record<string, string> = {};
  const briefs: Record<string, BriefInput> = {};
  let isUnavailable = false;
  for (const { siteId, state, brief: typed, problems } of items) {
    const refusal = stateRefusals[state];
    isUnavailable ||= refusal !== null;
    if (refusal) fields[siteId] = refusal;
    for (const { field, message } of problems) fields[`${siteId}.${field}`] = message;
    const read = readCartBrief(typed);
    if ('brief' in read) briefs[siteId] = read.brief;
  }
  const count = new Set(Object.keys(fields).map((field) => field.split('.')[0])).size;
  if (count > 0) {
    const subject = count === 1 ? 'One site of the cart' : `${count} sites of the cart`;
    throw new AppError(
      isUnavailable ? 'conflict' : 'invalid_input',
      `${subject} cannot be ordered as it is. Nothing was ordered. Correct or remove what is marked.`,
      { fields },
    );
  }
  return { kind: 'custom', projectId, siteIds: items.map(({ siteId }) => siteId), briefs };
}

const stateRefusals: Record<Cart['items'][number]['state'], string | null> = {
  ok: null,
  price_changed: null,
  not_on_sale: 'This site is no longer on sale. Remove it.',
  paused:
    'This site cannot be ordered at the moment, e.g. because its publisher paused it. Remove it, or order it later.',
};

/** Removes what is ordered from the cart, which is locked. A request keeps it: declined, it returns to the cart. */
async function removeItems(tx: Executor, { id, items }: Cart, requestId?: string): Promise<void> {
  const siteIds = items.map(({ siteId }) => siteId);
  const removed = await tx
    .delete(cartItems)
    .where(and(eq(cartItems.cartId, id), inArray(cartItems.siteId, siteIds)))
    .returning();
  if (requestId !== undefined)
    await tx.update(orderRequests).set({ cartItems: removed }).where(eq(orderRequests.id, requestId));
  await tx
    .update(carts)
    .set({ version: sql`${carts.version} + 1` })
    .where(eq(carts.id, id));
}
