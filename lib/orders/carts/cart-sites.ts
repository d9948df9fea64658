import { and, asc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { prepared } from '@/db/prepared';
import { cartItems, carts } from '@/db/schema/carts';
import { sites } from '@/db/schema/sites';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSitePrices } from '@/lib/orders/order/pricing';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { type CartBriefInput, maxCartItems, saveCartItemsBody } from './contract';
import { priceItem } from './price-item';
import { openCart } from './queries';
import { readOptionChoice } from './read-brief';
import { saveCartItems } from './save-items';

/** The sites of a cart, as the marketplace shows them. */
export type CartSites = {
  /** Null before the first site. */
  cartId: string | null;
  /** When it was read, in milliseconds: of two, the later one counts. */
  readAt: number;
  /** `usdCents` is null while the site is not on sale. */
  sites: readonly { id: number; usdCents: number | null }[];
};

/** The cart of the current project, as the server rendered it. */
export type CartState = CartSites & {
  accountId: string;
  /** Null for the cart without a project. */
  projectId: string | null;
  /** Whether it cannot be changed here: in a view by staff. */
  isReadOnly: boolean;
};

/** Reads the cart of a project, or the cart without one. */
export async function getCartState(
  actor: Pick<Actor, 'viewing' | keyof AccountScope>,
  projectId: string | null,
): Promise<CartState> {
  const { accountId, projectIds, viewing } = actor;
  const readAt = Date.now();
  const rows = await sitesOfCart().execute({ accountId, projectIds, projectId });
  // Most carts have no options, whose prices need a statement more.
  const withOptions = rows.filter(({ brief }) => brief !== null && readOptionChoice(brief).ids.length > 0);
  const offers =
    withOptions.length > 0
      ? await getSiteOffers(
          accountId,
          withOptions.flatMap(({ id }) => id ?? []),
        )
      : null;
  return {
    ...{ accountId, projectId, isReadOnly: Boolean(viewing), readAt },
    cartId: rows[0]?.cartId ?? null,
    sites: rows.flatMap(({ id, brief, usdCents }) => {
      if (id === null) return [];
      const optionsCents = offers && brief ? priceItem(offers, id, brief).optionsCents : 0;
      return [{ id, usdCents: usdCents === null ? null : usdCents + optionsCents }];
    }),
  };
}

const sitesOfCart = prepared((on) => {
  const scope = { accountId: sql.placeholder('accountId'), projectIds: sql.placeholder('projectIds') };
  return on
    .select({
      cartId: carts.id,
      id: cartItems.siteId,
      brief: cartItems.brief,
      usdCents: sql<number | null>`case when ${isListed} then ${sites.publicPriceUsdCents} end`.mapWith(
        sites.publicPriceUsdCents,
      ),
    })
    .from(carts)
    .leftJoin(cartItems, eq(cartItems.cartId, carts.id))
    .leftJoin(sites, eq(sites.id, cartItems.siteId))
    .where(and(isInScope(scope, carts), sql`${carts.projectId} is not distinct from ${sql.placeholder('projectId')}`))
    .orderBy(asc(cartItems.position))
    .prepare('cart_sites');
});

const { items } = saveCartItemsBody.shape;

/** Sites to add to the cart of a project, or of none, and sites to remove from it. */
export const changeCartInput = z.object({
  projectId: z.string().min(1).max(64).nullable(),
  add: items,
  remove: z.array(items.element.shape.siteId).max(maxCartItems),
});
type ChangeCartInput = z.output<typeof changeCartInput>;

/** The attempts of a change while others, e.g. of a second tab, come first. */
const maxAttempts = 5;

/**
 * Adds sites to a cart and removes others, and keeps what another tab changed in the rest. Of the added
 * sites, those that left the sale since they were shown are left out.
 * @returns the cart after the change, the briefs of the removed sites, and what was left out; null for nothing
 * @throws AppError not_found for a project of another user, unprocessable beyond the limit of the cart
 */
export async function changeCartSites(
  actor: Actor,
  { projectId, add, remove }: ChangeCartInput,
): Promise<CartSites & { removed: { siteId: number; brief: CartBriefInput }[]; refusal: string | null }> {
  for (let attempt = 1; ; attempt += 1) {
    const cart = await openCart(actor, projectId);
    const removed = cart.items.filter(({ siteId }) => remove.includes(siteId));
    const kept = cart.items.filter((item) => !removed.includes(item));
    const wanted = add.filter(({ siteId }) => kept.every((item) => item.siteId !== siteId));
    const prices = await getSitePrices(wanted.map(({ siteId }) => siteId));
    const added = wanted.filter(({ siteId }) => prices.has(siteId));
    if (kept.length + added.length > maxCartItems)
      throw new AppError('unprocessable', `A cart holds at most ${maxCartItems} sites.`);
    const next = [...kept, ...added].map(({ siteId, brief }) => ({ siteId, brief }));
    try {
      const saved = await saveCartItems(actor, cart.id, { items: next, version: cart.version });
      return {
        cartId: saved.id,
        readAt: Date.now(),
        sites: saved.items.map(({ siteId, priceCents }) => ({ id: siteId, usdCents: priceCents })),
        removed: removed.map(({ siteId, brief }) => ({ siteId, brief })),
        refusal: describeRefused(wanted.length - added.length),
      };
    } catch (thrown) {
      const isStale = thrown instanceof AppError && thrown.code === 'conflict';
      if (!isStale || attempt === maxAttempts) throw thrown;
    }
  }
}

function describeRefused(count: number): string | null {
  if (count === 0) return null;
  return count === 1
    ? 'One site is no longer on sale and was not added.'
    : `${count} sites are no longer on sale and were not added.`;
}
