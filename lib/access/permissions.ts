/** Everything a role can be allowed (decision 3). Admin has all of them, always. */
export const permissions = [
  'AdminDashboard',
  'ManageUsers',
  'ManageRoles',
  'ViewAuditLogs',
  'ManageSites',
  'ManagePackages',
  'ManageLicenses',
  'ManagePayments',
  'ManageWallets',
  'ManageOrders',
  'ManageSettings',
  'ManageBackups',
] as const;

export type Permission = (typeof permissions)[number];

/** Is it one of the catalogue? Rows of a permission that was since removed are ignored. */
export function isPermission(value: string): value is Permission {
  return permissions.some((known) => known === value);
}

/** Role names are compared without regard to case (spec 000, section 6). */
export function isAdminRole(role: string): boolean {
  return role.toLowerCase() === 'admin';
}

export function isSellerRole(role: string): boolean {
  return role.toLowerCase() === 'seller';
}

/** What somebody is and may do, or what a role or a list of features would let them. */
export type Rights = { role: string; permissions: readonly Permission[] };

/**
 * Does the first hold everything the second does? Nobody gives, takes or looks after rights above their own: an admin is
 * covered by admins alone, everybody else by whoever holds at least the same permissions.
 */
export function covers(holder: Rights, other: Rights): boolean {
  if (isAdminRole(holder.role)) return true;
  if (isAdminRole(other.role)) return false;
  return other.permissions.every((permission) => holder.permissions.includes(permission));
}

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

/** A role; `people` counts the users who hold it. */
export type RoleRow = { name: string; isBuiltIn: boolean; permissions: string[]; people: number };

/** The permissions of a role in the catalog's order; Admin has all of them. */
export function permissionsOf({ name, permissions: granted }: Pick<RoleRow, 'name' | 'permissions'>): Permission[] {
  const held = new Set(granted.filter(isPermission));
  return permissions.filter((permission) => isAdminRole(name) || held.has(permission));
}
