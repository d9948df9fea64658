import type { NavItem } from './nav';

/** The customer's side menu (spec 000, section 2). */
export const userNav: NavItem[] = [
  { href: '/user/marketplace', label: 'Marketplace', icon: 'icon-store' },
  { href: '/user/projects', label: 'Projects', icon: 'icon-projects' },
  { href: '/user/orders', label: 'Orders', icon: 'icon-receipt' },
  { href: '/user/wallet', label: 'Wallet', icon: 'icon-wallet' },
];

/** The marketplace takes the whole width; its links stand in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace'];
