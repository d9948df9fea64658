'use client';

import { usePathname } from 'next/navigation';
import { NavList } from './nav-list';
import { userMenuHiddenOn } from './user-nav';

/** The customer's links in the top bar, on the pages that have no side menu; on phones a row under it. */
export function MarketplaceLinks() {
  if (!userMenuHiddenOn.includes(usePathname())) return null;
  return (
    <nav
      aria-label="Customer area"
      className="max-md:absolute max-md:inset-x-0 max-md:top-full max-md:overflow-x-auto max-md:border-line max-md:border-b max-md:bg-canvas max-md:px-2 max-md:py-1 md:ml-3"
    >
      <NavList menu="user" direction="row" />
    </nav>
  );
}
