'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { addTax } from '@/components/orders/add-tax';
import { OrderTotal } from '@/components/orders/order-total';
import { describeOutlook, type Funds } from '@/components/orders/outlook';
import { useOutlook } from '@/components/orders/use-outlook';
import { formatSites } from '@/components/sites/cart-count';
import { type Cart, useCart } from '@/components/sites/use-cart';
import { withParams } from '@/components/table/url';
import { Button, buttonClass } from '@/components/ui/button';
import { Spinner } from '@/components/ui/progress';
import { toastWithUndo } from '@/components/ui/toast-with-undo';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import type { ShownTax } from '@/lib/tax/buyer-tax';

type CartTotalProps = Funds & {
  cart: Cart;
  tax: ShownTax | null;
  /** The project of the cart; '' for none. */
  projectId: string;
};

const noItems: [] = [];

/** Renders the number of sites in a cart, their total and the wallet's balance, and whether the order needs an approval. */
export function CartTotal({ cart, balanceCents, mayTopUp, isLimited, tax, projectId }: CartTotalProps) {
  const total = addTax(
    cart.sites.map(({ usdCents }) => usdCents ?? 0),
    tax,
  );
  const { totalCents } = total;
  // Without the sites: the policy judges them with their briefs, at the checkout.
  const outlook = useOutlook({ isLimited, projectId, totalCents, items: noItems });
  return (
    <>
      <OrderTotal label={formatSites(cart.sites.length)} {...{ total, balanceCents, mayTopUp }} />
      {outlook ? (
        <p className="text-xs text-yellow-ink empty:hidden">{describeOutlook(outlook, balanceCents)}</p>
      ) : null}
    </>
  );
}

/** Renders the button that empties a cart, which can be undone. */
export function ClearCart({ cart, size }: { cart: Cart; size?: 'sm' }) {
  const clear = () => {
    const { sites } = cart;
    cart.remove(sites);
    toastWithUndo('The cart is empty', () => cart.add(sites));
  };
  return (
    <Button size={size} variant="ghost" onClick={clear}>
      Clear
    </Button>
  );
}

const cartUrl = (id: string | null) => withParams('/user/cart', {}, { cart: id });

/** Renders the link to the screen of the cart, which opens it after its changes are saved. */
export function CheckoutLink({ cart, size }: { cart: Cart; size?: 'sm' }) {
  const router = useRouter();
  const [isWaiting, setIsWaiting] = useState(false);
  return (
    <Link
      prefetch={false}
      href={cartUrl(cart.cartId)}
      aria-busy={isWaiting || undefined}
      className={buttonClass({ variant: 'primary', size })}
      onNavigate={(event) => {
        event.preventDefault();
        setIsWaiting(true);
        void cart.settle().then((id) => {
          setIsWaiting(false);
          router.push(cartUrl(id));
        });
      }}
    >
      {isWaiting ? <Spinner /> : null}
      Checkout
    </Link>
  );
}

export type CartBarProps = Omit<CartTotalProps, 'cart'> & { cart: CartState };

/** Renders the bar at the bottom of the marketplace, while the cart has sites. */
export function CartBar({ cart: rendered, ...total }: CartBarProps) {
  const cart = useCart(rendered);
  if (cart.sites.length === 0) return null;
  return (
    <section
      aria-label="Cart"
      data-bottom-bar=""
      className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay"
    >
      <div>
        <CartTotal cart={cart} {...total} />
      </div>
      <div className="ml-auto flex gap-2">
        <ClearCart cart={cart} size="sm" />
        <CheckoutLink cart={cart} size="sm" />
      </div>
    </section>
  );
}
