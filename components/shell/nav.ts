import type { LucideIcon } from 'lucide-react';

/** A link of a menu. */
export type NavItem = { href: string; label: string; icon: LucideIcon };

/** A link is active when the path equals it or starts with it plus a slash. */
export function isActive(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

/**
 * The one link to mark as the current page: of several active ones the longest, else "Dashboard" at /dashboard would
 * be marked on every page below it.
 */
export function currentHref(pathname: string, hrefs: readonly string[]): string | undefined {
  return hrefs.filter((href) => isActive(pathname, href)).sort((a, b) => b.length - a.length)[0];
}
