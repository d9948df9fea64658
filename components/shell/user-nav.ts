import { FolderKanban, ReceiptText, Store, Wallet } from 'lucide-react';
import type { NavItem } from './nav';

/** The customer's side menu. */
export const userNav: NavItem[] = [
  { href: '/user/marketplace', label: 'Marketplace', icon: Store },
  { href: '/user/projects', label: 'Projects', icon: FolderKanban },
  { href: '/user/orders', label: 'Orders', icon: ReceiptText },
  { href: '/user/wallet', label: 'Wallet', icon: Wallet },
];

/** Pages of full width: the links are in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace'];
