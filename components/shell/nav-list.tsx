'use client';

import { House } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { currentHref, type NavItem, sellerAccountNav, sellerNav, userMenuHiddenOn, userNav } from './nav';

/** Milliseconds of hovering before a link's page is prefetched. */
const prefetchDelayMs = 100;

type NavLinkProps = NavItem & {
  current: boolean;
  className?: string;
  isBare?: boolean;
  /** Shows the icon alone, with the label as its tooltip. */
  isIcon?: boolean;
  /** A number at the end of the link, e.g. of open tasks, with its meaning for screen readers. */
  badge?: { text: string; meaning: string } | undefined;
};

/**
 * A link of a menu, with `isBare` without its icon. Its page is prefetched on hover, not when the link enters the
 * viewport.
 */
export function NavLink({
  href,
  label,
  icon: Icon,
  current,
  className,
  isBare = false,
  isIcon = false,
  badge,
}: NavLinkProps) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const fetchSoon = () => {
    timer.current = setTimeout(() => router.prefetch(href), prefetchDelayMs);
  };
  const forget = () => clearTimeout(timer.current);
  return (
    <Link
      prefetch={false}
      href={href}
      aria-current={current ? 'page' : undefined}
      onMouseEnter={fetchSoon}
      onMouseLeave={forget}
      onFocus={fetchSoon}
      onBlur={forget}
      data-tooltip={isIcon ? label : undefined}
      className={cn('nav-link', isIcon && '[scroll-initial-target:none]', className)}
    >
      {isBare ? null : <Icon className="size-4" />}
      <span className={isIcon ? 'sr-only' : 'truncate'}>{label}</span>
      {badge ? (
        <span className="ml-auto rounded-full bg-accent-soft px-1.5 font-medium text-accent-ink text-xs">
          {badge.text} <span className="sr-only">{badge.meaning}</span>
        </span>
      ) : null}
    </Link>
  );
}

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

/** The customer's links on pages without a side menu, in a row below the top bar. From 768 px on a rail has them. */
export function MarketplaceLinks() {
  if (!userMenuHiddenOn.includes(usePathname())) return null;
  return (
    <nav aria-label="Customer area" className="overflow-x-auto px-2 pb-2 sm:px-4 md:hidden">
      <NavList menu="user" direction="row" isBare />
    </nav>
  );
}

const placeHrefs = userNav.map(({ href }) => href);

/** The title of the customer area's top bar, which links to the dashboard, and, except on phones, the current screen. */
export function Place() {
  const current = currentHref(usePathname(), placeHrefs);
  const screen = userNav.find(({ href }) => href === current)?.label;
  return (
    <>
      <h2 className="min-w-0 shrink-0 text-sm">
        <Link prefetch={false} href="/user" className="flex items-center rounded-sm text-ink hover:underline">
          <House aria-hidden="true" className="size-4 text-subtle sm:hidden" />
          <span className="max-sm:sr-only">Welcome Back</span>
        </Link>
      </h2>
      {screen ? (
        <span className="flex min-w-0 items-center gap-2 text-muted text-sm max-sm:hidden">
          <span aria-hidden="true" className="text-subtle">
            /
          </span>
          <span className="truncate">{screen}</span>
        </span>
      ) : null}
    </>
  );
}
