import {
  Banknote,
  BellRing,
  Braces,
  CircleCheck,
  CreditCard,
  DatabaseBackup,
  Globe,
  KeyRound,
  KeySquare,
  Layers,
  LayoutDashboard,
  Link2,
  LockKeyhole,
  Package,
  Palette,
  Plug,
  ReceiptText,
  Scale,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Tags,
  TextSearch,
  Timer,
  ToggleRight,
  UserCog,
  UsersRound,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { NavItem, ShellUser } from './nav';

type AdminLink = NavItem & { permission?: string };
export type AdminGroup = {
  id: string;
  title: string;
  permission?: string;
  /** Whether the group is collapsed until the user expands it, so that the menu fits a screen 900 pixels high. */
  isFolded?: boolean;
  links: AdminLink[];
};

const screen = (name: string, label: string, icon: AdminLink['icon'], permission?: string): AdminLink => ({
  href: `/dashboard/features/${name}`,
  label,
  icon,
  ...(permission && { permission }),
});

/** Every admin screen, in the order of the sidebar. To add a screen, add an entry here. */
const groups: AdminGroup[] = [
  {
    id: 'core',
    title: 'Core',
    links: [
      { href: '/dashboard', label: 'Dashboard', icon: LayoutDashboard },
      screen('orders', 'Orders', ReceiptText, 'ManageOrders'),
      { href: '/dashboard/features', label: 'Feature Manager', icon: Layers, permission: 'ManageSettings' },
    ],
  },
  {
    id: 'fulfillment-payouts',
    title: 'Fulfillment & Payouts',
    isFolded: true,
    links: [
      screen('disputes', 'Disputes', Scale, 'ManageOrders'),
      screen('link-checks', 'Link Checks', Link2, 'ManageOrders'),
      screen('approvals', 'Approvals', CircleCheck),
      screen('payouts', 'Payouts', Banknote, 'ManagePayouts'),
      screen('payout-rules', 'Payout Rules', SlidersHorizontal, 'ManagePayouts'),
      screen('placement-rules', 'Placement Rules', Timer, 'ManageSettings'),
    ],
  },
  {
    id: 'users-access',
    title: 'Users & Access',
    links: [
      screen('users', 'Users', UsersRound, 'ManageUsers'),
      screen('roles', 'Roles', UserCog, 'ManageRoles'),
      screen('access-control', 'Access Control', LockKeyhole, 'ManageRoles'),
      screen('audit-logs', 'Audit Logs', ScrollText, 'ViewAuditLogs'),
      screen('sign-in', 'Sign-in', ShieldCheck, 'ManageSettings'),
    ],
  },
  {
    id: 'content-catalog',
    title: 'Content & Catalog',
    links: [
      screen('niches-types', 'Niches & Types', Tags, 'ManageSites'),
      screen('guest-posts', 'Guest Posts', Globe, 'ManageSites'),
      screen('packages', 'Packages', Package, 'ManagePackages'),
      screen('serp-preview', 'SERP Tool', TextSearch),
    ],
  },
  {
    id: 'system-integrations',
    title: 'System & Integrations',
    links: [
      screen('api-manager', 'API Manager', KeySquare, 'ManageSettings'),
      screen('notifications', 'Notifications', BellRing, 'ManageSettings'),
      screen('branding', 'Branding', Palette, 'ManageSettings'),
      screen('licenses', 'Licenses', KeyRound, 'ManageLicenses'),
      screen('backup', 'Backup and Restore', DatabaseBackup, 'ManageBackups'),
      screen('feature-flags', 'Feature Flags', ToggleRight, 'ManageSettings'),
      screen('integrations', 'Integrations', Plug, 'ManageSettings'),
      screen('payments', 'Payments', CreditCard, 'ManagePayments'),
      screen('wallet-manager', 'Wallet Manager', WalletCards, 'ManageWallets'),
    ],
  },
  {
    id: 'developers',
    title: 'Developers',
    isFolded: true,
    links: [
      screen('api-reference', 'API Reference', Braces),
      screen('webhooks', 'Webhooks', Webhook, 'ManageSettings'),
    ],
  },
];

/** The groups that the sidebar can have. */
export const adminGroups: readonly Pick<AdminGroup, 'id' | 'isFolded'>[] = groups;

const defaultPermission = 'AdminDashboard';

const toolPaths = [
  '/dashboard/tools',
  '/dashboard/seo',
  ...['seo', 'ai', 'keyword', 'serp', 'link', 'onpage'].map((name) => `/dashboard/features/${name}-tools`),
];

export type NavSwitches = { hideToolLinks: boolean; hideSystemGroup: boolean };

const on = (value: string | undefined) => value === '1' || value === 'true';

/** Two build-time feature flags, on when set to 1 or true. Next.js inlines them into the bundle. */
const navSwitches: NavSwitches = {
  hideToolLinks: on(process.env.NEXT_PUBLIC_HIDE_TOOL_LINKS),
  hideSystemGroup: on(process.env.NEXT_PUBLIC_HIDE_SYSTEM_GROUP),
};

/** Whether the user has the role admin, in any spelling, or the permission of the admin area. */
function isAdmin(user: Pick<ShellUser, 'role' | 'permissions'>): boolean {
  return user.role.toLowerCase() === 'admin' || user.permissions.includes(defaultPermission);
}

function isToolLink({ href, label }: AdminLink): boolean {
  return toolPaths.some((path) => href.startsWith(path)) || label.toLowerCase().includes('tool');
}

/** Every admin screen. */
export const adminLinks: readonly NavItem[] = groups.flatMap(({ links }) => links);

/** The sidebar groups that the user may see, without empty ones; none for a user who is not an admin. */
export function visibleGroups(
  user: Pick<ShellUser, 'role' | 'permissions'>,
  switches: NavSwitches = navSwitches,
  all: readonly AdminGroup[] = groups,
): AdminGroup[] {
  if (!isAdmin(user)) return [];
  const holds = (permission: string) => user.permissions.includes(permission);
  return all
    .filter(({ id }) => !(switches.hideSystemGroup && id === 'system-integrations'))
    .filter((group) => holds(group.permission ?? defaultPermission))
    .map((group) => ({
      ...group,
      links: group.links.filter(
        (link) =>
          holds(link.permission ?? group.permission ?? defaultPermission) &&
          !(switches.hideToolLinks && isToolLink(link)),
      ),
    }))
    .filter((group) => group.links.length > 0);
}
