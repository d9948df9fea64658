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

/** A screen: its path, its name in the menu and the texts of its header. */
export type Screen = {
  href: string;
  label: string;
  /** Set where the header's title differs from the label. */
  title?: string;
  description?: string;
};

export type NavItem = Screen & { icon: LucideIcon };

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
  {
    href: '/user/marketplace',
    label: 'Marketplace',
    icon: Store,
    description: 'Approved sites, priced in USD and paid from your wallet.',
  },
  {
    href: '/user/projects',
    label: 'Projects',
    icon: FolderKanban,
    description: 'The website, target URL and keywords your orders are for.',
  },
  {
    href: '/user/orders',
    label: 'Orders',
    icon: ReceiptText,
    title: 'My Orders',
    description: 'All your placements, with status, live link and content.',
  },
  {
    href: '/user/wallet',
    label: 'Wallet',
    icon: Wallet,
    description: 'Your prepaid balance, with every top-up and payment.',
  },
];

/** The webhooks of a customer or a seller. */
const ownWebhooks = {
  label: 'Webhooks',
  icon: Webhook,
  description: 'Send signed events about your orders and payments to your own programs.',
};

/** The screens of the customer area, with those that its menu does not show. */
export const userScreens: readonly Screen[] = [
  ...userNav,
  { href: '/user/webhooks', ...ownWebhooks },
  {
    href: '/user/wallet/refunds',
    label: 'Refunds',
    description: 'Money from your wallet back to the card or account that paid for it.',
  },
];

/** Full-width pages, whose links are in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace'];

export const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: LayoutDashboard },
  {
    href: '/seller/orders',
    label: 'Orders',
    icon: ReceiptText,
    description: 'Orders of your sites, from the offer to the approval.',
  },
  {
    href: '/seller/my-sites',
    label: 'My Sites',
    icon: Globe,
    description: 'All your sites, with prices and review status.',
  },
  {
    href: '/seller/earnings',
    label: 'Earnings',
    icon: CircleDollarSign,
    description: 'What your placements bring, when it becomes payable, and what was paid out.',
  },
  {
    href: '/seller/payouts',
    label: 'Payouts',
    icon: Banknote,
    description: 'Request your available balance, and see what was sent.',
  },
];

/** The links at the bottom of the seller's side menu, between theme and logout. */
export const sellerAccountNav: NavItem[] = [
  { href: '/seller/webhooks', ...ownWebhooks },
  { href: '/seller/security', label: 'Security', icon: ShieldCheck },
];

export const sellerScreens: readonly Screen[] = [...sellerNav, ...sellerAccountNav];
