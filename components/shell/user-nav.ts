import { type NavItem, ownWebhooksText, type Screen } from './nav';

/** The requests of an account with limits. */
export const requestsPath = '/user/requests';

/** Opens the form of a new project. */
export const newProjectPath = '/user/projects?new=1';

export const userNav: NavItem[] = [
  {
    href: '/user/marketplace',
    right: 'account:orders',
    label: 'Marketplace',
    icon: 'store',
    description: 'Approved sites, priced in USD and paid from your wallet.',
  },
  {
    href: '/user/projects',
    right: 'account:orders',
    label: 'Projects',
    icon: 'folder-kanban',
    description: 'The website, target URL and keywords your orders are for.',
  },
  {
    href: '/user/orders',
    right: 'account:orders',
    label: 'Orders',
    icon: 'receipt-text',
    title: 'My Orders',
    description: 'All your placements, with status, live link and content.',
  },
  {
    href: requestsPath,
    right: 'account:requests',
    label: 'Requests',
    icon: 'shield-check',
    description: 'Orders above a limit, which wait for approval.',
  },
  {
    href: '/user/wallet',
    right: 'account:wallet',
    label: 'Wallet',
    icon: 'wallet',
    description: 'Your prepaid balance, with every top-up and payment.',
    loading: 'Loading wallet…',
  },
];

/** The screens of the customer area, with those that its menu does not show. */
export const userScreens: readonly Screen[] = [
  ...userNav,
  {
    href: '/user/cart',
    right: 'account:orders',
    label: 'Cart',
    description: 'Your selected sites with their briefs. Each becomes a separate order, paid from your wallet.',
    loading: 'Loading cart…',
  },
  {
    href: '/user/blocked-sites',
    right: 'account:orders',
    label: 'Blocked sites',
    description: 'Domains whose sites you do not want to see, for all projects or for one.',
  },
  {
    href: '/user/billing',
    right: 'account:documents',
    label: 'Billing',
    description: 'Whom your invoices are addressed to, and your VAT id.',
  },
  { href: '/user/webhooks', right: 'account:programs', label: 'Webhooks', description: ownWebhooksText },
  {
    href: '/user/people',
    right: 'account:members',
    label: 'People',
    description: 'Who works in this account, what each may do, and what they may spend.',
  },
  {
    href: '/user/wallet/refunds',
    right: 'account:wallet',
    label: 'Refunds',
    description: 'Money from your wallet back to the card or account that paid for it.',
  },
];

/** Full-width pages, beside which the menu is a rail of icons. */
export const userRailOn = ['/user/marketplace', '/user/cart'];
