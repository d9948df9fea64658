'use client';

import { House, Users } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { findCurrent } from './nav';
import { NavList, type NavListProps } from './nav-list';
import { userNav } from './user-nav';

/** Renders the customer's links. A client component, because a list as a prop would be serialized into every page. */
export const UserMenu = (props: Omit<NavListProps, 'items'>) => <NavList {...props} items={userNav} />;

/**
 * Renders the title of the customer area, which links to the dashboard, the name of the team, and, except on phones, the
 * current screen.
 */
export function Place({ team }: { team: string | undefined }) {
  const screen = findCurrent(usePathname(), userNav)?.label;
  return (
    <>
      <h2 className="min-w-0 shrink-0 text-sm">
        <Link prefetch={false} href="/user" className="flex items-center rounded-sm text-ink hover:underline">
          <House aria-hidden="true" className="size-4 text-subtle sm:hidden" />
          <span className="max-sm:sr-only">Welcome Back</span>
        </Link>
      </h2>
      {team === undefined ? null : (
        <span className="flex min-w-0 items-center gap-1.5 text-ink text-sm">
          <Users aria-hidden="true" className="size-4 text-subtle" />
          <span className="sr-only">Account: </span>
          <span className="truncate font-medium">{team}</span>
        </span>
      )}
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
