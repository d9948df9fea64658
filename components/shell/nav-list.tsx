'use client';

import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { findCurrent, type NavItem } from './nav';

/** Milliseconds of hovering before a link's page is prefetched. */
const prefetchDelayMs = 100;

type NavLinkProps = NavItem & {
  current: boolean;
  className?: string;
  /** The icon is alone from 768 px on (data-rail in ui.css), with the label as its tooltip. */
  isRail?: boolean;
  /** A number at the end of the link, e.g. of open tasks, with its meaning for screen readers. */
  badge?: { text: string; meaning: string } | undefined;
};

/**
 * Renders a link of a menu. Its page is prefetched on hover, not when the link enters
 * the viewport.
 */
export function NavLink(props: NavLinkProps) {
  const { href, label, icon, current, className, isRail = false, badge } = props;
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
      data-tooltip={isRail ? label : undefined}
      data-tooltip-side={isRail ? 'right' : undefined}
      className={cn('nav-link', isRail && '[scroll-initial-target:none]', className)}
    >
      <Icon name={icon} />
      <span className="truncate">{label}</span>
      {badge ? (
        <span className="ml-auto rounded-full bg-accent-soft px-1.5 font-medium text-accent-ink text-xs">
          {badge.text} <span className="sr-only">{badge.meaning}</span>
        </span>
      ) : null}
    </Link>
  );
}

export type NavListProps = {
  items: readonly NavItem[];
  /** All links among which at most one is marked as current, if there are more than these. */
  among?: readonly NavItem[];
  linkClassName?: string;
  isRail?: boolean;
  /** The hrefs of disabled features, which are hidden. */
  closed?: readonly string[];
  /** Numbers at the end of links, by href. */
  badges?: Readonly<Record<string, NavLinkProps['badge']>>;
};

/** Renders the links of a menu. */
export function NavList(props: NavListProps) {
  const { items, among = items, linkClassName, isRail, closed = [], badges = {} } = props;
  const current = findCurrent(usePathname(), among)?.href;
  const shown = items.filter(({ href }) => !closed.includes(href));
  return (
    <ul className="flex flex-col gap-0.5">
      {shown.map((item) => (
        <li key={item.href} className="shrink-0">
          <NavLink
            {...item}
            current={item.href === current}
            className={linkClassName}
            isRail={isRail}
            badge={badges[item.href]}
          />
        </li>
      ))}
    </ul>
  );
}
