import { Globe, LayoutDashboard, ShieldCheck } from 'lucide-react';
import type { NavItem } from './nav';

/** The seller's side menu (spec 000, section 2). */
export const sellerNav: NavItem[] = [
  { href: '/seller', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/seller/my-sites', label: 'My Sites', icon: Globe },
];

/** At the foot of the same menu, among theme and logout. */
export const sellerAccountNav: NavItem[] = [{ href: '/seller/security', label: 'Security', icon: ShieldCheck }];
