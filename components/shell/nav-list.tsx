'use client';

import { Banknote, CircleDollarSign, Globe, LayoutDashboard, ReceiptText, ShieldCheck, Webhook } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { currentHref, type NavItem } from './nav';
import { NavLink, type NavLinkProps } from './nav-link';
import { userNav } from './user-nav';

const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/seller/orders', label: 'Orders', icon: ReceiptText },
  { href: '/seller/my-sites', label: 'My Sites', icon: Globe },
  { href: '/seller/earnings', label: 'Earnings', icon: CircleDollarSign },
  { href: '/seller/payouts', label: 'Payouts', icon: Banknote },
];

/** The links at the bottom of the seller's side menu, between theme and logout. */
const sellerAccountNav: NavItem[] = [
  { href: '/seller/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/seller/security', label: 'Security', icon: ShieldCheck },
];

const menus = { user: userNav, seller: sellerNav, 'seller-account': sellerAccountNav };

/** All links: at most one is marked as current over all lists. */
const hrefs = Object.values(menus).flatMap((items) => items.map(({ href }) => href));

type NavListProps = {
  menu: keyof typeof menus;
  direction?: 'column' | 'row';
  linkClassName?: string;
  isBare?: boolean;
  /** The hrefs of disabled features, which are hidden. */
  closed?: readonly string[];
  /** Numbers at the end of links, by href. */
  badges?: Readonly<Record<string, NavLinkProps['badge']>>;
};

/** The links of a portal's menu. The prop is the menu's name, because a list would be serialized into every page. */
export function NavList({ menu, direction = 'column', linkClassName, isBare, closed = [], badges = {} }: NavListProps) {
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
            badge={badges[item.href]}
          />
        </li>
      ))}
    </ul>
  );
}
