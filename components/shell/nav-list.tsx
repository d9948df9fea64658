'use client';

import { usePathname } from 'next/navigation';
import { currentHref, type NavItem } from './nav';
import { NavLink } from './nav-link';
import { sellerAccountNav, sellerNav } from './seller-nav';
import { userNav } from './user-nav';

const menus = { user: userNav, seller: sellerNav, 'seller-account': sellerAccountNav };

/** Of these only one is current, in whichever list it stands. */
const hrefs = Object.values(menus).flatMap((items) => items.map(({ href }) => href));

type NavListProps = {
  menu: keyof typeof menus;
  direction?: 'column' | 'row';
  linkClassName?: string;
  isBare?: boolean;
  /** Links to what an admin has turned off. */
  closed?: readonly string[];
};

/** The links of a portal with one plain list, which is named here, not handed over: it would be sent with every page. */
export function NavList({ menu, direction = 'column', linkClassName, isBare, closed = [] }: NavListProps) {
  const items: NavItem[] = menus[menu].filter(({ href }) => !closed.includes(href));
  const current = currentHref(usePathname(), hrefs);
  return (
    <ul className={direction === 'row' ? 'flex gap-1' : 'flex flex-col gap-0.5'}>
      {items.map((item) => (
        <li key={item.href} className="shrink-0">
          <NavLink {...item} current={item.href === current} className={linkClassName} isBare={isBare} />
        </li>
      ))}
    </ul>
  );
}
