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
import type { NavItem } from './nav';
import type { ShellUser } from './types';

type AdminLink = NavItem & { permission?: string };
export type AdminGroup = { id: string; title: string; permission?: string; links: AdminLink[] };

/** Every admin screen, in the order of the sidebar. To add a screen, add an entry here. */
const groups: AdminGroup[] = [
  {
    id: 'core',
    title: 'Core',
    links: [{ href: '/dashboard', label: 'Dashboard', icon: LayoutDashboard }],
  },
  {
    id: 'users-access',
    title: 'Users & Access',
    links: [
      { href: '/dashboard/features/users', label: 'Users', icon: UsersRound, permission: 'ManageUsers' },
      { href: '/dashboard/features/roles', label: 'Roles', icon: UserCog, permission: 'ManageRoles' },
      {
        href: '/dashboard/features/access-control',
        label: 'Access Control',
        icon: LockKeyhole,
        permission: 'ManageRoles',
      },
      { href: '/dashboard/features/audit-logs', label: 'Audit Logs', icon: ScrollText, permission: 'ViewAuditLogs' },
    ],
  },
  {
    id: 'content-catalog',
    title: 'Content & Catalog',
    links: [
      {
        href: '/dashboard/features/niches-types',
        label: 'Niches & Types',
        icon: Tags,
        permission: 'ManageSites',
      },
      { href: '/dashboard/features/guest-posts', label: 'Guest Posts', icon: Globe, permission: 'ManageSites' },
      { href: '/dashboard/features/packages', label: 'Packages', icon: Package, permission: 'ManagePackages' },
      { href: '/dashboard/features/serp-preview', label: 'SERP Tool', icon: TextSearch },
    ],
  },
  {
    id: 'system-integrations',
    title: 'System & Integrations',
    links: [
      {
        href: '/dashboard/features/api-manager',
        label: 'API Manager',
        icon: KeySquare,
        permission: 'ManageSettings',
      },
      { href: '/dashboard/features/api-reference', label: 'API Reference', icon: Braces },
      { href: '/dashboard/features/webhooks', label: 'Webhooks', icon: Webhook, permission: 'ManageSettings' },
      {
        href: '/dashboard/features/notifications',
        label: 'Notifications',
        icon: BellRing,
        permission: 'ManageSettings',
      },
      { href: '/dashboard/features/branding', label: 'Branding', icon: Palette, permission: 'ManageSettings' },
      { href: '/dashboard/features/licenses', label: 'Licenses', icon: KeyRound, permission: 'ManageLicenses' },
      {
        href: '/dashboard/features/backup',
        label: 'Backup and Restore',
        icon: DatabaseBackup,
        permission: 'ManageBackups',
      },
      {
        href: '/dashboard/features/feature-flags',
        label: 'Feature Flags',
        icon: ToggleRight,
        permission: 'ManageSettings',
      },
      {
        href: '/dashboard/features/placement-rules',
        label: 'Placement Rules',
        icon: Timer,
        permission: 'ManageSettings',
      },
      {
        href: '/dashboard/features/sign-in',
        label: 'Sign-in',
        icon: ShieldCheck,
        permission: 'ManageSettings',
      },
      {
        href: '/dashboard/features/integrations',
        label: 'Integrations',
        icon: Plug,
        permission: 'ManageSettings',
      },
      {
        href: '/dashboard/features/payments',
        label: 'Payments',
        icon: CreditCard,
        permission: 'ManagePayments',
      },
      {
        href: '/dashboard/features/wallet-manager',
        label: 'Wallet Manager',
        icon: WalletCards,
        permission: 'ManageWallets',
      },
      { href: '/dashboard/features/payouts', label: 'Payouts', icon: Banknote, permission: 'ManagePayouts' },
      {
        href: '/dashboard/features/payout-rules',
        label: 'Payout Rules',
        icon: SlidersHorizontal,
        permission: 'ManagePayouts',
      },
      { href: '/dashboard/features/orders', label: 'Orders', icon: ReceiptText, permission: 'ManageOrders' },
      { href: '/dashboard/features/disputes', label: 'Disputes', icon: Scale, permission: 'ManageOrders' },
      { href: '/dashboard/features/link-checks', label: 'Link Checks', icon: Link2, permission: 'ManageOrders' },
      { href: '/dashboard/features/approvals', label: 'Approvals', icon: CircleCheck },
    ],
  },
];

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
