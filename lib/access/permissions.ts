/** The catalogue of permissions. The Admin role always has all of them. */
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
  'ManagePayouts',
  'ManageOrders',
  'ManageSettings',
  'ManageBackups',
] as const;

export type Permission = (typeof permissions)[number];

/** Checks whether the catalogue contains the permission. Stored permissions that were since removed are ignored. */
export function isPermission(value: string): value is Permission {
  return permissions.some((known) => known === value);
}

/** Checks whether a role is the admins'. Role names are case-insensitive. */
export function isAdminRole(role: string): boolean {
  return role.toLowerCase() === 'admin';
}

export function isSellerRole(role: string): boolean {
  return role.toLowerCase() === 'seller';
}

/** The role and permissions of a user, or of a role or feature grant. */
export type Rights = {
  role: string;
  permissions: readonly Permission[];
  /** Set for a request with an API token, which has only `permissions`, also if the role is Admin. */
  token?: object;
};

/** Checks whether the holder has every permission: an admin, but not an admin's API token. */
export function hasAllPermissions({ role, token }: Pick<Rights, 'role' | 'token'>): boolean {
  return isAdminRole(role) && token === undefined;
}

/**
 * Checks whether the holder's rights include the other's. Users can only grant, revoke and manage rights that they
 * hold: an admin is covered by admins only, any other user by a user with at least the same permissions.
 */
export function covers(holder: Rights, other: Rights): boolean {
  if (hasAllPermissions(holder)) return true;
  if (isAdminRole(other.role)) return false;
  return other.permissions.every((permission) => holder.permissions.includes(permission));
}

/** Checks whether rights are those of staff. */
export const hasRightsOfStaff = ({ role, permissions: held }: Rights): boolean => isAdminRole(role) || held.length > 0;

const descriptions: Record<Permission, string> = {
  AdminDashboard: 'Open the admin area. Required for all other permissions.',
  ManageUsers: 'Create, edit, suspend and delete users, end their sessions, assign roles.',
  ManageRoles: 'Create and delete roles, set their permissions, assign features to users.',
  ViewAuditLogs: 'View the audit log.',
  ManageSites: 'Add, price, approve and import sites; manage niches and post types.',
  ManagePackages: 'Add, price and delete packages.',
  ManageLicenses: 'Create, assign and deactivate licenses.',
  ManagePayments: 'Manage payment providers, their keys, and exchange rates.',
  ManageWallets: 'View and top up all wallets, delete transactions, check the books.',
  ManagePayouts: 'Approve and pay payouts, view payout methods, set the rules of payouts.',
  ManageOrders: 'Edit, deliver, reject, refund and delete orders.',
  ManageSettings: 'Manage branding, feature flags, service keys, notifications and integrations.',
  ManageBackups: 'Create, download, upload, restore and delete backups, which contain all data.',
};

/** Describes a permission in a sentence or two. */
export function describePermission(permission: Permission): string {
  return descriptions[permission];
}

export type RoleRow = {
  name: string;
  isBuiltIn: boolean;
  permissions: string[];
  /** The number of users who have it; a lower bound if `isCapped`. */
  userCount: number;
  isCapped: boolean;
};

/** Lists the permissions of a role in the order of the catalogue. */
export function getRolePermissions({
  name,
  permissions: granted,
}: Pick<RoleRow, 'name' | 'permissions'>): Permission[] {
  return permissions.filter((permission) => isAdminRole(name) || granted.includes(permission));
}
