'use client';

import { ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useCallback, useId, useState, useSyncExternalStore } from 'react';
import { cn } from '../ui/cn';
import { type AdminGroup, visibleGroups } from './admin-nav';
import { readStored, writeStored } from './browser-storage';
import { currentHref } from './nav';
import { NavLink } from './nav-link';
import type { ShellUser } from './types';

/** The admin's link groups, filtered by permission. */
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
        <ul className="flex min-h-0 flex-col gap-0.5 overflow-clip">
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

const listeners = new Set<() => void>();

const storageKey = (id: string) => `admin_group_${id}`;
const read = (id: string) => readStored(storageKey(id)) !== '0';

function write(id: string, open: boolean): void {
  writeStored(storageKey(id), open ? '1' : '0');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/**
 * Whether a sidebar group is open: `admin_group_{id}` in localStorage, 1 or 0, expanded by default. A group is also
 * open while it contains the current page; this does not change the stored state, which only the user changes.
 * @returns `moved` is false until the user toggles the group, so that the stored state is shown without an animation
 */
function useGroupOpen(id: string, holdsCurrent: boolean) {
  const remembered = useSyncExternalStore(
    subscribe,
    () => read(id),
    () => true,
  );
  const [moved, setMoved] = useState(false);
  // Collapsed by the user although it contains the current page. Reset when the user leaves that page.
  const [dismissed, setDismissed] = useState(false);
  if (dismissed && !holdsCurrent) setDismissed(false);
  const open = remembered || (holdsCurrent && !dismissed);

  const toggle = useCallback(() => {
    setMoved(true);
    setDismissed(open);
    write(id, !open);
  }, [id, open]);

  return { open, moved, toggle };
}
