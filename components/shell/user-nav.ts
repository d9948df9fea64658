import { ClipboardCheck, FolderKanban, ReceiptText, Store, Wallet } from 'lucide-react';
import { type NavItem, ownWebhooksText, type Screen } from './nav';

/** The requests of an account with limits. */
export const requestsPath = '/user/requests';

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
    href: requestsPath,
    label: 'Requests',
    icon: ClipboardCheck,
    description: 'Orders above a limit of the account, which wait for an approval.',
  },
  {
    href: '/user/wallet',
    label: 'Wallet',
    icon: Wallet,
    description: 'Your prepaid balance, with every top-up and payment.',
    loading: 'Loading wallet…',
  },
];

/** The screens of the customer area, with those that its menu does not show. */
export const userScreens: readonly Screen[] = [
  ...userNav,
  {
    href: '/user/cart',
    label: 'Cart',
    description: 'Your selected sites with their briefs. Each becomes a separate order, paid from your wallet.',
    loading: 'Loading cart…',
  },
  {
    href: '/user/blocked-sites',
    label: 'Blocked sites',
    description: 'Domains whose sites you do not want to see, for all projects or for one.',
  },
  {
    href: '/user/billing',
    label: 'Billing',
    description: 'Whom your invoices are addressed to, and your VAT id.',
  },
  { href: '/user/webhooks', label: 'Webhooks', description: ownWebhooksText },
  {
    href: '/user/wallet/refunds',
    label: 'Refunds',
    description: 'Money from your wallet back to the card or account that paid for it.',
  },
];

/** Full-width pages, whose links are in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace', '/user/cart'];
