import { type NavItem, ownWebhooksText, type Screen } from './nav';

export const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: 'layout-dashboard' },
  {
    href: '/seller/orders',
    label: 'Orders',
    icon: 'receipt-text',
    description: 'Orders of your sites, from the offer to the approval.',
  },
  {
    href: '/seller/my-sites',
    label: 'My Sites',
    icon: 'globe',
    description: 'All your sites, with prices and review status.',
  },
  {
    href: '/seller/record',
    label: 'Your record',
    icon: 'chart-no-axes-column',
    description: 'How your orders went in the last 12 months, and what would raise your record.',
  },
  {
    href: '/seller/earnings',
    label: 'Earnings',
    icon: 'circle-dollar-sign',
    description: 'What your placements bring, when it becomes payable, and what was paid out.',
  },
  {
    href: '/seller/payouts',
    label: 'Payouts',
    icon: 'banknote',
    description: 'Request your available balance, and see what was sent.',
  },
];

/** The links at the bottom of the seller's side menu, between theme and logout. */
export const sellerAccountNav: NavItem[] = [
  { href: '/seller/webhooks', label: 'Webhooks', icon: 'webhook', description: ownWebhooksText },
  { href: '/seller/security', label: 'Security', icon: 'shield-check' },
];

export const sellerScreens: readonly Screen[] = [...sellerNav, ...sellerAccountNav];
