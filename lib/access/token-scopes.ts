import { type BaseScope, baseScopes } from '@/lib/platform/http/route-metadata';
import { describePermission, isAdminRole, isPermission, type Permission, permissions } from './permissions';

/** A scope of an API token: a base scope, or for staff the name of a permission. */
export type TokenScope = BaseScope | Permission;

/** No address of backups accepts a token, because a backup contains the data of all users. */
type TokenPermission = Exclude<Permission, 'ManageBackups'>;
const tokenPermissions = permissions.filter((one): one is TokenPermission => one !== 'ManageBackups');

export const tokenScopes: readonly TokenScope[] = [...baseScopes, ...tokenPermissions];

const descriptions: Record<BaseScope, string> = {
  read: 'Read your orders, projects, wallet, packages and the marketplace.',
  'orders:write': 'Create projects, place and pay orders from your wallet, approve deliveries, write messages.',
  'wallet:topup': 'Start top-ups of your wallet.',
  seller: 'Manage your sites, orders, earnings and payout requests.',
  webhooks: 'Manage webhook endpoints, except their addresses and secrets, and read events.',
};

/** The scopes with which a token can spend, add or request money. They are off until a user chooses them. */
export const moneyScopes: readonly TokenScope[] = ['orders:write', 'wallet:topup', 'seller'];

/** Describes a scope in a sentence. */
export function describeScope(scope: TokenScope): string {
  return isPermission(scope) ? describePermission(scope) : descriptions[scope];
}

/**
 * Returns the permissions of an API token: its scopes that the user holds now. An Admin's token has only those that it
 * names, although the role has all.
 */
export function limitToScopes(
  scopes: readonly string[],
  { role, permissions: held }: { role: string; permissions: readonly Permission[] },
): Permission[] {
  return scopes.filter(isPermission).filter((one) => isAdminRole(role) || held.includes(one));
}

/** Lists the scopes that a user can give to a token: never a permission that the user does not hold. */
export function listGrantableScopes(user: { role: string; permissions: readonly Permission[] }): TokenScope[] {
  const granted = limitToScopes(tokenPermissions, user);
  const isStaff = granted.includes('AdminDashboard');
  const isSeller = user.role.toLowerCase() === 'seller';
  return [...baseScopes.filter((scope) => scope !== 'seller' || isSeller), ...(isStaff ? granted : [])];
}
