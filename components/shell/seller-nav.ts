import type { IconClass, NavItem } from './nav';

/** The seller's side menu (spec 000, section 2). */
export const sellerNav: NavItem<IconClass>[] = [
  { href: '/seller', label: 'Dashboard', icon: 'icon-dashboard' },
  { href: '/seller/my-sites', label: 'My Sites', icon: 'icon-globe' },
];

/** At the foot of the same menu, among theme and logout. */
export const sellerAccountNav: NavItem<IconClass>[] = [
  { href: '/seller/security', label: 'Security', icon: 'icon-shield' },
];
