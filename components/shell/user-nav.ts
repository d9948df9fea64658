import { FolderKanban, ReceiptText, Store, Wallet } from 'lucide-react';
import type { NavItem } from './nav';

export const userNav: NavItem[] = [
  { href: '/user/marketplace', label: 'Marketplace', icon: Store },
  { href: '/user/projects', label: 'Projects', icon: FolderKanban },
  { href: '/user/orders', label: 'Orders', icon: ReceiptText },
  { href: '/user/wallet', label: 'Wallet', icon: Wallet },
];

/** Full-width pages, whose links are in the top bar instead. */
export const userMenuHiddenOn = ['/user/marketplace'];
