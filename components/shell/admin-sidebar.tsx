'use client';

import { ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useCallback, useId, useState, useSyncExternalStore } from 'react';
import { cn } from '@/components/ui/cn';
import { useHydrated } from '@/components/ui/use-hydrated';
import { foldAttribute, foldStyles, readFold, subscribeFolds, writeFold } from './admin-folds';
import { type AdminGroup, visibleGroups } from './admin-nav';
import { findCurrent, type ShellUser } from './nav';
import { NavLink } from './nav-list';

/** Renders the admin's link groups, filtered by permission. */
export function AdminSidebar({ user }: { user: ShellUser }) {
  const isHydrated = useHydrated();
  const groups = visibleGroups(user);
  const links = groups.flatMap((group) => group.links);
  const current = findCurrent(usePathname(), links)?.href;
  return (
    <div className="flex flex-col gap-1">
      <style>{foldStyles}</style>
      {groups.map((group) => (
        <Group key={group.id} group={group} current={current} isHydrated={isHydrated} />
      ))}
    </div>
  );
}

type GroupProps = { group: AdminGroup; current: string | undefined; isHydrated: boolean };

/** Renders a group of links. Its rows are low enough that the menu fits a screen 900 pixels high. */
function Group({ group, current, isHydrated }: GroupProps) {
  const holdsCurrent = group.links.some((link) => link.href === current);
  const { open, moved, toggle } = useGroupOpen(group, holdsCurrent);
  const listId = useId();
  return (
    <div {...(!isHydrated && !holdsCurrent && { [foldAttribute]: group.id })}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={toggle}
        className="flex h-7 w-full items-center justify-between rounded-md px-2.5 font-medium text-subtle text-xs transition-colors hover:text-ink focus-visible:-outline-offset-2"
      >
        {group.title}
        <ChevronDown
          className={cn('fold-icon size-3.5', moved && 'transition-[rotate] duration-[220ms]', !open && '-rotate-90')}
        />
      </button>
      <div
        id={listId}
        inert={!open}
        className={cn(
          'fold-links grid',
          open ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]',
          moved && 'transition-[grid-template-rows] duration-[220ms]',
        )}
      >
        <ul className="flex min-h-0 flex-col overflow-clip">
          {group.links.map((link) => (
            <li key={link.href}>
              <NavLink {...link} current={link.href === current} className="md:h-7" />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/**
 * Checks whether a sidebar group is open, as the user left it. A group is also open while it contains the current page;
 * this does not change the stored state, which only the user changes.
 * @returns `moved` is false until the user toggles the group, so that the stored state is shown without an animation
 */
function useGroupOpen({ id, isFolded = false }: AdminGroup, holdsCurrent: boolean) {
  const remembered = useSyncExternalStore(
    subscribeFolds,
    () => readFold(id, isFolded),
    () => !isFolded,
  );
  const [moved, setMoved] = useState(false);
  // Collapsed by the user although it contains the current page. Reset when the user leaves that page.
  const [dismissed, setDismissed] = useState(false);
  if (dismissed && !holdsCurrent) setDismissed(false);
  const open = remembered || (holdsCurrent && !dismissed);

  const toggle = useCallback(() => {
    setMoved(true);
    setDismissed(open);
    writeFold(id, !open);
  }, [id, open]);

  return { open, moved, toggle };
}

/** Screens without a menu entry; the account menu links to them. */
const elsewhere: Readonly<Record<string, { group: string; label: string }>> = {
  '/dashboard/security': { group: 'Account', label: 'Security' },
  '/dashboard/profile': { group: 'Account', label: 'Profile settings' },
};

/** Renders the breadcrumb: group and screen of the current page. */
export function AdminTrail({ user }: { user: ShellUser }) {
  const pathname = usePathname();
  const own = elsewhere[pathname];
  if (own) return <Trail {...own} />;
  const links = visibleGroups(user).flatMap(({ title: group, links }) => links.map((link) => ({ ...link, group })));
  const current = findCurrent(pathname, links);
  return current ? <Trail {...current} /> : null;
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
