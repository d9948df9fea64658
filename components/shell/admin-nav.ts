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
  Percent,
  Plug,
  ReceiptText,
  Scale,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Store,
  Tags,
  TextSearch,
  Timer,
  ToggleRight,
  UserCog,
  UsersRound,
  WalletCards,
  Webhook,
} from 'lucide-react';
import { defaultPermission, isAdmin, type NavItem, type Screen, type ShellUser } from './nav';

type AdminLink = NavItem & { permission?: string };
export type AdminGroup = {
  id: string;
  title: string;
  permission?: string;
  /** Whether the group is collapsed until the user expands it, so that the menu fits a screen 900 pixels high. */
  isFolded?: boolean;
  links: AdminLink[];
};

type Texts = Pick<Screen, 'title' | 'description'>;

const screen = (name: string, label: string, icon: AdminLink['icon'], permission: string, texts: Texts): AdminLink => ({
  ...{ href: `/dashboard/features/${name}`, label, icon, permission },
  ...texts,
});

/** Every admin screen, in the order of the sidebar. To add a screen, add an entry here. */
const groups: AdminGroup[] = [
  {
    id: 'core',
    title: 'Core',
    links: [
      { href: '/dashboard', label: 'Dashboard', icon: LayoutDashboard },
      screen('orders', 'Orders', ReceiptText, 'ManageOrders', {
        title: 'Admin · Orders',
        description: 'All buyers’ orders, with status, live link, content and refunds.',
      }),
      {
        href: '/dashboard/features',
        label: 'Feature Manager',
        icon: Layers,
        permission: 'ManageSettings',
        description: 'What your marketplace offers, in your words. Shown next to the registration form.',
      },
    ],
  },
  {
    id: 'fulfillment-payouts',
    title: 'Fulfillment & Payouts',
    isFolded: true,
    links: [
      screen('disputes', 'Disputes', Scale, 'ManageOrders', {
        description:
          'Disagreements between buyers and sellers about a placement. Decide those that they do not settle.',
      }),
      screen('link-checks', 'Link Checks', Link2, 'ManageOrders', {
        description: 'Links of orders that are checked, with the result of the newest check.',
      }),
      screen('approvals', 'Approvals', CircleCheck, defaultPermission, {
        description: 'Changes that take effect when a second person approves them.',
      }),
      screen('payouts', 'Payouts', Banknote, 'ManagePayouts', {
        description: 'Approve and pay what sellers requested.',
      }),
      screen('payout-rules', 'Payout Rules', SlidersHorizontal, 'ManagePayouts', {
        description: 'The minimum, the fees and the approval of payouts.',
      }),
      screen('placement-rules', 'Placement Rules', Timer, 'ManageSettings', {
        description: 'The deadlines and limits of orders that sellers fulfill.',
      }),
    ],
  },
  {
    id: 'users-access',
    title: 'Users & Access',
    links: [
      screen('users', 'Users', UsersRound, 'ManageUsers', {
        title: 'Manage Users',
        description: 'All accounts, with role, status, sessions, wallet and orders.',
      }),
      screen('sellers', 'Sellers', Store, 'ManageOrders', {
        description: 'How sellers answer, deliver and keep their links in place.',
      }),
      screen('roles', 'Roles', UserCog, 'ManageRoles', {
        title: 'Role Manager',
        description: 'Features for one user, in addition to their role. Takes effect immediately.',
      }),
      screen('access-control', 'Access Control', LockKeyhole, 'ManageRoles', {
        description: 'Manage roles and their permissions.',
      }),
      screen('audit-logs', 'Audit Logs', ScrollText, 'ViewAuditLogs', {
        description: 'Who did what, and when. Entries can’t be changed or deleted.',
      }),
      screen('sign-in', 'Sign-in', ShieldCheck, 'ManageSettings', {
        description: 'Which roles require two-step sign-in, and how long staff sessions last.',
      }),
    ],
  },
  {
    id: 'content-catalog',
    title: 'Content & Catalog',
    links: [
      screen('niches-types', 'Niches & Types', Tags, 'ManageSites', {
        title: 'Niche and Type Manager',
        description: 'Options for sites and projects. Each post type is a tab in the marketplace.',
      }),
      screen('guest-posts', 'Guest Posts', Globe, 'ManageSites', {
        title: 'Guest Post Manager',
        description: 'All sellers’ sites, with metrics, prices, review and history.',
      }),
      screen('commission-rules', 'Commission rules', Percent, 'ManageSites', {
        description: 'How the public price of a site is made from the seller’s price when the site is approved.',
      }),
      screen('packages', 'Packages', Package, 'ManagePackages', {
        description: 'Bundles of links that buyers order at a fixed price.',
      }),
      screen('serp-preview', 'SERP Tool', TextSearch, defaultPermission, {
        title: 'SERP Preview',
        description:
          'Preview how a page’s title and description look in search results on desktop and mobile, with their width in pixels.',
      }),
    ],
  },
  {
    id: 'system-integrations',
    title: 'System & Integrations',
    links: [
      screen('api-manager', 'API Manager', KeySquare, 'ManageSettings', {
        description:
          'API keys for external services. Keys are encrypted and can’t be viewed again, only replaced or deleted.',
      }),
      screen('notifications', 'Notifications', BellRing, 'ManageSettings', {
        description: 'Announcements to many users at once. Appears in their notifications for 60 days.',
      }),
      screen('branding', 'Branding', Palette, 'ManageSettings', {
        description:
          'Name, logo and colors of every portal, the sign-in pages, emails and invoices. Changes apply everywhere immediately.',
      }),
      screen('licenses', 'Licenses', KeyRound, 'ManageLicenses', {
        description: 'Keys issued for a package or a user, and whether they’re active.',
      }),
      screen('backup', 'Backup and Restore', DatabaseBackup, 'ManageBackups', {
        description: 'Archives of all data: users, sites, orders, the books and the audit log.',
      }),
      screen('feature-flags', 'Feature Flags', ToggleRight, 'ManageSettings', {
        description:
          'Turn parts of the installation on or off. Takes effect immediately for everyone, on every screen and in the API.',
      }),
      screen('integrations', 'Integrations', Plug, 'ManageSettings', {
        title: 'App Integrations',
        description: 'Connections to external services. Test sends a request to the service.',
      }),
      screen('payments', 'Payments', CreditCard, 'ManagePayments', {
        description: 'How buyers pay: keys, modes and notifications for each provider.',
      }),
      screen('wallet-manager', 'Wallet Manager', WalletCards, 'ManageWallets', {
        description: 'Wallet balances, transactions and the state of the books.',
      }),
    ],
  },
  {
    id: 'developers',
    title: 'Developers',
    isFolded: true,
    links: [
      screen('api-reference', 'API Reference', Braces, defaultPermission, {
        title: 'API reference',
        description: 'Every API endpoint of this installation: who can call it, what it accepts and what it returns.',
      }),
      screen('webhooks', 'Webhooks', Webhook, 'ManageSettings', {
        description: 'Send signed events of the whole marketplace to your own programs.',
      }),
    ],
  },
];

/** The groups that the sidebar can have. */
export const adminGroups: readonly Pick<AdminGroup, 'id' | 'isFolded'>[] = groups;

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

function isToolLink({ href, label }: AdminLink): boolean {
  return toolPaths.some((path) => href.startsWith(path)) || label.toLowerCase().includes('tool');
}

/** Every admin screen of the sidebar. */
export const adminLinks: readonly NavItem[] = groups.flatMap(({ links }) => links);

/** Every admin screen, with those that the sidebar does not show. */
export const adminScreens: readonly Screen[] = [
  ...adminLinks,
  {
    href: '/dashboard/features/payments/disputes',
    label: 'Disputes',
    description:
      'Top-ups that a buyer disputes with their bank or PayPal. Submit evidence to the provider before its deadline.',
  },
  {
    href: '/dashboard/features/payments/settlement',
    label: 'Settlement',
    description: 'What each payment provider received, kept as fees, paid out and still owes.',
  },
  {
    href: '/dashboard/features/payouts/statements',
    label: 'Self-billing',
    description: 'Statements issued for sellers who agreed, and the amounts of a year by seller and quarter.',
  },
];

/** Returns the sidebar groups that the user may see, without empty ones; none for a user who is not an admin. */
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
