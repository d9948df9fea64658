import { Banknote, CircleDollarSign, Globe, LayoutDashboard, ReceiptText, ShieldCheck, Webhook } from 'lucide-react';
import type { NavItem } from './nav';

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
