import type { IconName } from '@/components/ui/icon';
import type { AccountRight } from '@/lib/access/account-roles';

/** The signed-in user as the shell shows it. Plain data, so that it can be passed from server to client components. */
export type ShellUser = {
  name: string;
  email: string;
  role: string;
  permissions: readonly string[];
  /** The hash of the picture; without one the initials are shown. */
  picture?: string | null;
};

/** The permission of the admin area. */
export const defaultPermission = 'AdminDashboard';

/** Checks whether the user has the role admin, in any spelling, or the permission of the admin area. */
export function isAdmin({ role, permissions }: Pick<ShellUser, 'role' | 'permissions'>): boolean {
  return role.toLowerCase() === 'admin' || permissions.includes(defaultPermission);
}

/** A screen: its path, its name in the menu and the texts of its header. */
export type Screen = {
  href: string;
  label: string;
  /** Set where the header's title differs from the label. */
  title?: string;
  description?: string;
  /** What a member of an account must be allowed to do to open it. */
  right?: AccountRight;
  /** The notice below the header while the screen loads. */
  loading?: string;
};

export type NavItem = Screen & {
  icon: IconName;
  /** A further name of the screen, which the palette finds. */
  alias?: string;
  /** A caption inside its group, above the first link that has it. */
  section?: string;
};

/** Checks whether a link is active: the path equals its href or starts with it plus a slash. */
export function isActive(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

/**
 * Returns the link to mark as the current page: the longest of the active ones. Otherwise "Dashboard" at /dashboard
 * would be marked on every page below it.
 */
export function findCurrent<Link extends { href: string }>(pathname: string, links: readonly Link[]): Link | undefined {
  return links.filter(({ href }) => isActive(pathname, href)).sort((a, b) => b.href.length - a.href.length)[0];
}

/** The description of the webhooks of a customer or a seller. */
export const ownWebhooksText = 'Send signed events about your orders and payments to your own programs.';
