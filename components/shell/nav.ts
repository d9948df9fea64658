import {
  Banknote,
  CircleDollarSign,
  FolderKanban,
  Globe,
  LayoutDashboard,
  type LucideIcon,
  ReceiptText,
  ShieldCheck,
  Store,
  Wallet,
  Webhook,
} from 'lucide-react';

/** The signed-in user as the shell shows it. Plain data, so that it can be passed from server to client components. */
export type ShellUser = {
  name: string;
  email: string;
  role: string;
  permissions: readonly string[];
  /** The hash of the picture; without one the initials are shown. */
  picture?: string | null;
};

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

export const userNav: NavItem[] = [
  { href: '/user/marketplace', label: 'Marketplace', icon: Store },
  { href: '/user/projects', label: 'Projects', icon: FolderKanban },
  { href: '/user/orders', label: 'Orders', icon: ReceiptText },
  { href: '/user/wallet', label: 'Wallet', icon: Wallet },
];

/** Full-width pages, whose links are in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace'];

export const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/seller/orders', label: 'Orders', icon: ReceiptText },
  { href: '/seller/my-sites', label: 'My Sites', icon: Globe },
  { href: '/seller/earnings', label: 'Earnings', icon: CircleDollarSign },
  { href: '/seller/payouts', label: 'Payouts', icon: Banknote },
];

/** The links at the bottom of the seller's side menu, between theme and logout. */
export const sellerAccountNav: NavItem[] = [
  { href: '/seller/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/seller/security', label: 'Security', icon: ShieldCheck },
];
