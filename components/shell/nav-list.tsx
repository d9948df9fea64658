'use client';

import { usePathname } from 'next/navigation';
import { currentHref, type NavItem } from './nav';
import { NavLink } from './nav-link';
import { sellerNav } from './seller-nav';
import { userNav } from './user-nav';

const menus = { user: userNav, seller: sellerNav };

type NavListProps = { menu: keyof typeof menus; direction?: 'column' | 'row' };

/** The links of a portal with one plain list. Icons are functions, so the list is named here, not handed over. */
export function NavList({ menu, direction = 'column' }: NavListProps) {
  const items: NavItem[] = menus[menu];
  const current = currentHref(
    usePathname(),
    items.map((item) => item.href),
  );
  return (
    <ul className={direction === 'row' ? 'flex gap-1' : 'flex flex-col gap-0.5'}>
      {items.map((item) => (
        <li key={item.href} className="shrink-0">
          <NavLink {...item} current={item.href === current} />
        </li>
      ))}
    </ul>
  );
}
