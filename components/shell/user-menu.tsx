'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { portals } from '@/lib/auth/portals';
import { findCurrent } from './nav';
import { NavList, type NavListProps } from './nav-list';
import { NotFoundPage } from './not-found-page';
import { requestsPath, userNav, userRailOn } from './user-nav';

/** Renders the customer's links. A client component, because a list as a prop would be serialized into every page. */
export const UserMenu = (props: Omit<NavListProps, 'items' | 'isRail'>) => (
  <NavList {...props} items={userNav} isRail={userRailOn.includes(usePathname())} />
);

export const UserNotFound = () => (
  <NotFoundPage home={portals.user.home} lists={userNav.filter(({ href }) => href !== requestsPath)} />
);

/**
 * Renders the title of the customer area, which links to the dashboard, the name of the team, and, except on phones, the
 * current screen.
 * @param team rendered on the server
 */
export function Place({ team }: { team: ReactNode }) {
  const screen = findCurrent(usePathname(), userNav)?.label;
  return (
    <>
      <h2 className="min-w-0 shrink-0 text-sm">
        <Link prefetch={false} href="/user" className="flex items-center rounded-sm text-ink hover:underline">
          <Icon name="house" className="text-subtle sm:hidden" />
          <span className="max-sm:sr-only">Welcome Back</span>
        </Link>
      </h2>
      {team}
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
