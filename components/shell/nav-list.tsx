'use client';

import { Globe, LayoutDashboard, ShieldCheck } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { currentHref, type NavItem } from './nav';
import { NavLink } from './nav-link';
import { userNav } from './user-nav';

/** The seller's side menu. */
const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/seller/my-sites', label: 'My Sites', icon: Globe },
];

/** At the foot of the seller's side menu, between theme and logout. */
const sellerAccountNav: NavItem[] = [{ href: '/seller/security', label: 'Security', icon: ShieldCheck }];

const menus = { user: userNav, seller: sellerNav, 'seller-account': sellerAccountNav };

/** At most one link is current over all lists. */
const hrefs = Object.values(menus).flatMap((items) => items.map(({ href }) => href));

type NavListProps = {
  menu: keyof typeof menus;
  direction?: 'column' | 'row';
  linkClassName?: string;
  isBare?: boolean;
  /** Links to what an admin has turned off. */
  closed?: readonly string[];
};

/** The links of a portal's menu. The menu is named, not passed: a passed list would be sent with every page. */
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
