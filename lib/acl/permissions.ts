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
