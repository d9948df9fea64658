import type { LucideIcon } from 'lucide-react';

export type NavItem = { href: string; label: string; icon: LucideIcon };

/** Whether a link is active: the path equals its href or starts with it plus a slash. */
export function isActive(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

/**
 * The link to mark as the current page: the longest of the active ones. Otherwise "Dashboard" at /dashboard would be
 * marked on every page below it.
 */
export function currentHref(pathname: string, hrefs: readonly string[]): string | undefined {
  return hrefs.filter((href) => isActive(pathname, href)).sort((a, b) => b.length - a.length)[0];
}
