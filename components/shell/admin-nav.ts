import { defaultPermission, isAdmin, type NavItem, type Screen, type ShellUser } from './nav';

type AdminLink = NavItem & {
  permission?: string;
  /** Whether the specification lists the link in System & Integrations, although the menu has it elsewhere. */
  isSystem?: boolean;
};

export type AdminGroup = {
  id: string;
  title: string;
  permission?: string;
  /** Whether every page opens the group, so that daily work is never folded away. */
  isDaily?: boolean;
  links: AdminLink[];
};

type Rest = Required<Pick<AdminLink, 'description'>> & Pick<AdminLink, 'alias' | 'section' | 'isSystem'>;

const screen = (name: string, label: string, icon: AdminLink['icon'], permission: string, rest: Rest): AdminLink => ({
  href: `/dashboard/features/${name}`,
  label,
  icon,
  permission,
  ...rest,
});

const money = { section: 'Money' };
const settings = { section: 'Settings' };

/**
 * Every admin screen, in the order of the sidebar. To add a screen, add an entry here. The four groups and their ids are
 * those of the specification; daily work is first.
 */
const groups: AdminGroup[] = [
  {
    id: 'core',
    title: 'Core',
    isDaily: true,
    links: [
      { href: '/dashboard', label: 'Home', alias: 'Dashboard', icon: 'house' },
      screen('orders', 'Orders', 'receipt-text', 'ManageOrders', {
        alias: 'Admin · Orders',
        description: 'All buyers’ orders, with status, live link, content and refunds.',
        isSystem: true,
      }),
      screen('disputes', 'Disputes', 'scale', 'ManageOrders', {
        description:
          'Disagreements between buyers and sellers about a placement. Decide those that they do not settle.',
      }),
      screen('payouts', 'Payouts', 'banknote', 'ManagePayouts', {
        description: 'Approve and pay what sellers requested.',
      }),
      screen('link-checks', 'Links', 'link-2', 'ManageOrders', {
        alias: 'Link checks',
        description: 'Links of orders that are checked, with the result of the newest check.',
      }),
    ],
  },
  {
    id: 'users-access',
    title: 'Users & Access',
    links: [
      screen('users', 'Users', 'users-round', 'ManageUsers', {
        alias: 'Manage Users',
        description: 'All accounts, with role, status, sessions, wallet and orders.',
      }),
      screen('sellers', 'Sellers', 'store', 'ManageOrders', {
        description: 'How sellers answer, deliver and keep their links in place.',
      }),
      screen('access-control', 'Access Control', 'lock-keyhole', 'ManageRoles', {
        description: 'Manage roles and their permissions.',
      }),
      screen('roles', 'Roles', 'user-cog', 'ManageRoles', {
        alias: 'Role Manager',
        description: 'Features for one user, in addition to their role. Takes effect immediately.',
      }),
      screen('audit-logs', 'Audit Logs', 'scroll-text', 'ViewAuditLogs', {
        description: 'Who did what, and when. Entries can’t be changed or deleted.',
      }),
    ],
  },
  {
    id: 'content-catalog',
    title: 'Content & Catalog',
    links: [
      screen('guest-posts', 'Guest Posts', 'globe', 'ManageSites', {
        alias: 'Guest Post Manager',
        description: 'All sellers’ sites, with metrics, prices, review and history.',
      }),
      screen('niches-types', 'Niches & Types', 'tags', 'ManageSites', {
        alias: 'Niche and Type Manager',
        description: 'Options for sites and projects. Each post type is a tab in the marketplace.',
      }),
      screen('commission-rules', 'Commission rules', 'percent', 'ManageSites', {
        description: 'How the public price of a site is made from the seller’s price when the site is approved.',
      }),
      screen('packages', 'Packages', 'package', 'ManagePackages', {
        description: 'Bundles of links that buyers order at a fixed price.',
      }),
      screen('serp-preview', 'SERP preview tool', 'text-search', defaultPermission, {
        description:
          'Preview how a page’s title and description look in search results on desktop and mobile, with their width in pixels.',
      }),
    ],
  },
  {
    id: 'system-integrations',
    title: 'System & Integrations',
    links: [
      screen('money', 'Money overview', 'circle-dollar-sign', 'ManageWallets', {
        description:
          'Cash against what is owed to buyers and sellers, and the figures of the marketplace. Days are UTC.',
        ...money,
      }),
      screen('tax-reports', 'Tax reports', 'calculator', 'ManageWallets', {
        description: 'Tax by period, country and rate, and the figures for the One Stop Shop. Months are UTC.',
        ...money,
      }),
      screen('e-invoices', 'E-invoices', 'send', 'ManageOrders', {
        description: 'Invoices and credit notes sent by Peppol and KSeF, with their state.',
        ...money,
      }),
      screen('payments', 'Payments', 'credit-card', 'ManagePayments', {
        description: 'How buyers pay: keys, modes and notifications for each provider.',
        ...money,
      }),
      screen('wallet-manager', 'Wallet Manager', 'wallet-cards', 'ManageWallets', {
        description: 'Wallet balances, transactions and the state of the books.',
        ...money,
      }),
      screen('payments/settlement', 'Settlement', 'landmark', 'ManagePayments', {
        description: 'What each payment provider received, kept as fees, paid out and still owes.',
        ...money,
      }),
      screen('approvals', 'Approvals', 'circle-check', defaultPermission, {
        description: 'Changes that take effect when a second person approves them.',
        ...money,
      }),
      screen('branding', 'Branding', 'palette', 'ManageSettings', {
        description:
          'Name, logo and colors of every portal, the sign-in pages, emails and invoices. Changes apply everywhere immediately.',
        ...settings,
      }),
      {
        href: '/dashboard/features',
        label: 'Feature Manager',
        icon: 'layers',
        permission: 'ManageSettings',
        description: 'What your marketplace offers, in your words. Shown next to the registration form.',
        ...settings,
      },
      screen('notifications', 'Notifications', 'bell-ring', 'ManageSettings', {
        description: 'Announcements to many users at once. Appears in their notifications for 60 days.',
        ...settings,
      }),
      screen('licenses', 'Licenses', 'key-round', 'ManageLicenses', {
        description: 'Keys issued for a package or a user, and whether they’re active.',
        ...settings,
      }),
      screen('placement-rules', 'Placement rules', 'timer', 'ManageSettings', {
        description: 'The deadlines and limits of orders that sellers fulfill, and the anchor plan of projects.',
        ...settings,
      }),
      screen('figures', 'Figures', 'list-ordered', 'ManageSettings', {
        description: 'Which figure of a site is shown when several sources have one.',
        ...settings,
      }),
      screen('payout-rules', 'Payout rules', 'sliders-horizontal', 'ManagePayouts', {
        description: 'The minimum, the fees and the approval of payouts.',
        ...settings,
      }),
      screen('tax', 'Tax and identity', 'building-complex', 'ManageSettings', {
        description: 'Who sells on this marketplace, which tax buyers pay, and where they transfer money to.',
        ...settings,
      }),
      screen('e-invoices/providers', 'E-invoice providers', 'network', 'ManageSettings', {
        description: 'The services that send documents by Peppol and KSeF.',
        ...settings,
      }),
      screen('sign-in', 'Sign-in', 'shield-check', 'ManageSettings', {
        description: 'Which roles require two-step sign-in, and how long staff sessions last.',
        ...settings,
      }),
      screen('feature-flags', 'Feature Flags', 'toggle-right', 'ManageSettings', {
        description:
          'Turn parts of the installation on or off. Takes effect immediately for everyone, on every screen and in the API.',
        ...settings,
      }),
      screen('integrations', 'App Integrations', 'plug', 'ManageSettings', {
        description: 'Connections to external services. Test sends a request to the service.',
        ...settings,
      }),
      screen('api-manager', 'API Manager', 'key-square', 'ManageSettings', {
        description:
          'API keys for external services. Keys are encrypted and can’t be viewed again, only replaced or deleted.',
        ...settings,
      }),
      screen('webhooks', 'Webhooks', 'webhook', 'ManageSettings', {
        description: 'Send signed events of the whole marketplace to your own programs.',
        ...settings,
      }),
      screen('api-reference', 'API reference', 'braces', defaultPermission, {
        description: 'Every API endpoint of this installation: who can call it, what it accepts and what it returns.',
        ...settings,
      }),
      screen('backup', 'Backup and Restore', 'database-backup', 'ManageBackups', {
        description: 'Archives of all data: users, sites, orders, the books and the audit log.',
        ...settings,
      }),
    ],
  },
];

/** The groups that the sidebar can have. */
export const adminGroups: readonly Pick<AdminGroup, 'id'>[] = groups;

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
    label: 'Payment disputes',
    description:
      'Top-ups that a buyer disputes with their bank or PayPal. Submit evidence to the provider before its deadline.',
  },
  {
    href: '/dashboard/features/money/entries',
    label: 'Entries',
    description: 'The entries that a figure of the money overview is the sum of. Days are UTC.',
  },
  {
    href: '/dashboard/features/tax-reports/documents',
    label: 'Documents',
    description: 'The invoices and credit notes that a figure of the tax report is the sum of. Months are UTC.',
  },
  {
    href: '/dashboard/features/payouts/tax-reports',
    label: 'Reports on sellers',
    description: 'Figures of sellers for DAC7 and forms 1099. Which sellers must be reported is for you to decide.',
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
          !(switches.hideToolLinks && isToolLink(link)) &&
          !(switches.hideSystemGroup && link.isSystem),
      ),
    }))
    .filter((group) => group.links.length > 0);
}
