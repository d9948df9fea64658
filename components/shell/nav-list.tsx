'use client';

import { usePathname } from 'next/navigation';
import { currentHref, type NavItem } from './nav';
import { NavLink, type NavLinkProps } from './nav-link';
import { sellerAccountNav, sellerNav } from './seller-nav';
import { userNav } from './user-nav';

const menus = { user: userNav, seller: sellerNav, 'seller-account': sellerAccountNav };

/** All links: at most one is marked as current over all lists. */
const hrefs = Object.values(menus).flatMap((items) => items.map(({ href }) => href));

type NavListProps = {
  menu: keyof typeof menus;
  direction?: 'column' | 'row';
  linkClassName?: string;
  isBare?: boolean;
  isIcon?: boolean;
  /** The hrefs of disabled features, which are hidden. */
  closed?: readonly string[];
  /** Numbers at the end of links, by href. */
  badges?: Readonly<Record<string, NavLinkProps['badge']>>;
};

/** The links of a portal's menu. The prop is the menu's name, because a list would be serialized into every page. */
export function NavList({
  menu,
  direction = 'column',
  linkClassName,
  isBare,
  isIcon,
  closed = [],
  badges = {},
}: NavListProps) {
  const items: NavItem[] = menus[menu].filter(({ href }) => !closed.includes(href));
  const current = currentHref(usePathname(), hrefs);
  return (
    <ul className={direction === 'row' ? 'flex gap-1' : 'flex flex-col gap-0.5'}>
      {items.map((item) => (
        <li key={item.href} className="shrink-0">
          <NavLink
            {...item}
            current={item.href === current}
            className={linkClassName}
            isBare={isBare}
            isIcon={isIcon}
            badge={badges[item.href]}
          />
        </li>
      ))}
    </ul>
  );
}
