'use client';

import { usePathname } from 'next/navigation';
import { Fragment, useCallback, useId, useState, useSyncExternalStore } from 'react';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { useHydrated } from '@/components/ui/use-hydrated';
import { portals } from '@/lib/auth/portals';
import { foldAttribute, foldStyles, readFold, subscribeFolds, writeFold } from './admin-folds';
import { type AdminGroup, adminLinks, visibleGroups } from './admin-nav';
import { findCurrent, type ShellUser } from './nav';
import { NavLink } from './nav-list';
import { NotFoundPage } from './not-found-page';

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

/** Renders a group of links, with the captions of its sections. */
function Group({ group, current, isHydrated }: GroupProps) {
  const holdsCurrent = group.isDaily || group.links.some((link) => link.href === current);
  const { open, moved, toggle } = useGroupOpen(group.id, holdsCurrent);
  const listId = useId();
  return (
    <div
      {...(!isHydrated && !holdsCurrent && { [foldAttribute]: group.id })}
      className={cn(
        group.isDaily && 'z-10 bg-canvas [@media(min-height:36rem)]:sticky [@media(min-height:36rem)]:-top-2',
      )}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={toggle}
        className="flex h-7 w-full items-center justify-between rounded-md px-2.5 font-medium text-subtle text-xs transition-colors hover:text-ink focus-visible:-outline-offset-2"
      >
        {group.title}
        <Icon
          name="chevron-down"
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
        <div className="min-h-0 overflow-clip">
          {listSections(group.links).map(({ caption, links }) => (
            <Fragment key={caption}>
              {caption ? (
                <p className="flex h-6 items-end px-2.5 pb-0.5 text-[11px] text-subtle" aria-hidden="true">
                  {caption}
                </p>
              ) : null}
              <ul aria-label={caption || undefined} className="flex flex-col">
                {links.map((link) => (
                  <li key={link.href}>
                    <NavLink
                      {...link}
                      current={link.href === current}
                      // Daily work stays in sight above the other links: the menu does not scroll to it, and not below it.
                      className={cn(
                        'md:h-7',
                        group.isDaily ? '[scroll-initial-target:none]' : 'scroll-mt-60 md:scroll-mt-44',
                      )}
                    />
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}

type Links = AdminGroup['links'];

/** Splits the links of a group by their section, in their order. The caption of links without a section is empty. */
function listSections(links: Links): { caption: string; links: Links }[] {
  const captions = [...new Set(links.map(({ section = '' }) => section))];
  return captions.map((caption) => ({
    caption,
    links: links.filter(({ section = '' }) => section === caption),
  }));
}

/**
 * Checks whether a sidebar group is open, as the user left it. A group is also open on a page that it contains, until
 * the user closes it there; this does not change the stored state, which only the user changes.
 * @returns `moved` is false until the user toggles the group, so that the stored state is shown without an animation
 */
function useGroupOpen(id: string, holdsCurrent: boolean) {
  const pathname = usePathname();
  const remembered = useSyncExternalStore(
    subscribeFolds,
    () => readFold(id),
    () => true,
  );
  const [moved, setMoved] = useState(false);
  // The page on which the user closed the group although it contains that page.
  const [closedOn, setClosedOn] = useState<string | null>(null);
  const open = remembered || (holdsCurrent && closedOn !== pathname);

  const toggle = useCallback(() => {
    setMoved(true);
    setClosedOn(open ? pathname : null);
    writeFold(id, !open);
  }, [id, open, pathname]);

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
  const links = visibleGroups(user).flatMap(({ title, links }) =>
    links.map((link) => ({ ...link, group: link.section ?? title })),
  );
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

/** The Feature Manager is no list: its path begins the path of every screen. */
const lists = adminLinks.filter(({ href }) => href !== '/dashboard/features');

export const AdminNotFound = () => <NotFoundPage home={portals.admin.home} lists={lists} />;
