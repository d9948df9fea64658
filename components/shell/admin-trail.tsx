'use client';

import { usePathname } from 'next/navigation';
import { visibleGroups } from './admin-nav';
import { currentHref } from './nav';
import type { ShellUser } from './types';

/** Screens without a menu entry; the account menu links to them. */
const elsewhere: Readonly<Record<string, { group: string; label: string }>> = {
  '/dashboard/security': { group: 'Account', label: 'Security' },
  '/dashboard/profile': { group: 'Account', label: 'Profile settings' },
};

/** The breadcrumb: group and screen of the current page. */
export function AdminTrail({ user }: { user: ShellUser }) {
  const pathname = usePathname();
  const own = elsewhere[pathname];
  if (own) return <Trail {...own} />;
  const groups = visibleGroups(user);
  const current = currentHref(
    pathname,
    groups.flatMap((group) => group.links.map((link) => link.href)),
  );
  const group = groups.find((candidate) => candidate.links.some((link) => link.href === current));
  const link = group?.links.find((candidate) => candidate.href === current);
  return group && link ? <Trail group={group.title} label={link.label} /> : null;
}

function Trail({ group, label }: { group: string; label: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm">
      <span className="truncate text-muted max-sm:hidden">{group}</span>
      <span aria-hidden="true" className="text-control max-sm:hidden">
        /
      </span>
      <span className="truncate font-medium text-ink">{label}</span>
    </p>
  );
}
