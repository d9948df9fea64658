import type { Permission } from './permissions';

const descriptions: Record<Permission, string> = {
  AdminDashboard: 'Enter the admin console. Without it the others count for nothing.',
  ManageUsers: 'Add, edit, suspend and delete people, end their sessions, give them a role.',
  ManageRoles: 'Create and delete roles, decide what they allow, give features to people.',
  ViewAuditLogs: 'Read who did what.',
  ManageSites: 'Add, price, approve and import sites; niches and post types.',
  ManagePackages: 'Add, price and delete packages.',
  ManageLicenses: 'Make, assign and switch off licenses.',
  ManagePayments: 'Payment providers, their keys, and exchange rates.',
  ManageWallets: 'See every wallet, top it up, delete transactions, prove the books.',
  ManageOrders: 'Edit, deliver, reject, refund and delete orders.',
  ManageSettings: 'Branding, flags, keys of services, notifications, integrations.',
  ManageBackups: 'Make, download, upload, restore and delete backups, which hold a copy of everything.',
};

/** What a permission opens, in a sentence or two. */
export function describePermission(permission: Permission): string {
  return descriptions[permission];
}
