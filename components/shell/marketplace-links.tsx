'use client';

import { usePathname } from 'next/navigation';
import { NavList } from './nav-list';
import { userMenuHiddenOn } from './user-nav';

const places = {
  'top-bar': 'ml-2 max-lg:hidden',
  'second-bar': 'overflow-x-auto px-2 pb-2 sm:px-4 lg:hidden',
};

/** The customer's links on pages without a side menu: in the top bar, and on narrow screens in a row below it. */
export function MarketplaceLinks({ place }: { place: keyof typeof places }) {
  if (!userMenuHiddenOn.includes(usePathname())) return null;
  return (
    <nav aria-label="Customer area" className={places[place]}>
      <NavList menu="user" direction="row" isBare={place === 'second-bar'} />
    </nav>
  );
}
