'use client';

import { ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useId } from 'react';
import { cn } from '../ui/cn';
import { type AdminGroup, visibleGroups } from './admin-nav';
import { currentHref } from './nav';
import { NavLink } from './nav-link';
import type { ShellUser } from './types';
import { useGroupOpen } from './use-group-open';

/** The admin's groups of links, as far as their permissions go. */
export function AdminSidebar({ user }: { user: ShellUser }) {
  const pathname = usePathname();
  const groups = visibleGroups(user);
  const current = currentHref(
    pathname,
    groups.flatMap((group) => group.links.map((link) => link.href)),
  );
  return (
    <div className="flex flex-col gap-3">
      {groups.map((group) => (
        <Group key={group.id} group={group} current={current} />
      ))}
    </div>
  );
}

function Group({ group, current }: { group: AdminGroup; current: string | undefined }) {
  const holdsCurrent = group.links.some((link) => link.href === current);
  const { open, moved, toggle } = useGroupOpen(group.id, holdsCurrent);
  const listId = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={toggle}
        className="flex h-7 w-full items-center justify-between rounded-md px-2.5 font-medium text-subtle text-xs transition-colors hover:text-ink focus-visible:-outline-offset-2"
      >
        {group.title}
        <ChevronDown className={cn('size-3.5 transition-transform duration-[220ms]', !open && '-rotate-90')} />
      </button>
      <div
        id={listId}
        inert={!open}
        className={cn(
          'grid',
          open ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]',
          moved && 'transition-[grid-template-rows] duration-[220ms]',
        )}
      >
        <ul className="flex min-h-0 flex-col gap-0.5 overflow-hidden">
          {group.links.map((link) => (
            <li key={link.href} className="first:mt-1">
              <NavLink {...link} current={link.href === current} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
