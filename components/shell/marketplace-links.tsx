'use client';

import { usePathname } from 'next/navigation';
import { NavList } from './nav-list';
import { userMenuHiddenOn } from './user-nav';

/** The customer's links on pages without a side menu, in a row below the top bar. From 768 px on a rail has them. */
export function MarketplaceLinks() {
  if (!userMenuHiddenOn.includes(usePathname())) return null;
  return (
    <nav aria-label="Customer area" className="overflow-x-auto px-2 pb-2 sm:px-4 md:hidden">
      <NavList menu="user" direction="row" isBare />
    </nav>
  );
}
