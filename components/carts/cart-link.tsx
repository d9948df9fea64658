'use client';

import Link from 'next/link';
import { type CartCounts, formatSites, useCartCount } from '@/components/sites/cart-count';
import { Icon } from '@/components/ui/icon';

/** Renders the number of sites in all carts, with a link to them. */
export function CartLink({ counts }: { counts: CartCounts }) {
  const count = useCartCount(counts);
  const label = count === 0 ? 'Cart, empty' : `Cart, ${formatSites(count)}`;
  return (
    <Link
      prefetch={false}
      href="/user/cart"
      aria-label={label}
      data-tooltip={label}
      className="btn btn-ghost btn-sm relative gap-1.5 px-2"
    >
      <Icon name="shopping-cart" />
      {count > 0 ? (
        <span className="tabular-nums max-sm:absolute max-sm:top-0 max-sm:right-0 max-sm:text-xs max-sm:leading-none">
          {count}
        </span>
      ) : null}
    </Link>
  );
}
