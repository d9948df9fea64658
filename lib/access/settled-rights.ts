import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import { isPermission, type Rights } from './permissions';

/** The hours after which rights that a person gave count for money and for approvals. */
export const settlingHours = 72;

const isSettled = (since: SQLWrapper): SQL =>
  sql`(${since} is null or ${since} <= now() - make_interval(hours => ${settlingHours}))`;
const isAccountSettled = isSettled(sql`users.rights_since`);

/** The role, if the user's rights have settled; otherwise empty. For queries that select from `users`. */
export const settledRole = sql<string>`case when ${isAccountSettled} then users.role else '' end`;

/**
 * The permissions that have settled, as `grantedPermissions` (authorize.ts) lists all. None when a person gave the
 * account its role, or took it, within the time. Those of User and Seller never settle: anyone can register a second
 * account with these roles.
 */
export const settledPermissions = sql<string[]>`array(
  select role_permissions.permission from role_permissions
    where ${isAccountSettled} and role_permissions.role_name = users.role
      and users.role not in ('User', 'Seller') and ${isSettled(sql`role_permissions.granted_at`)}
  union select unnest(feature_roles.permissions) from feature_roles
    where ${isAccountSettled} and feature_roles.user_id = users.id and ${isSettled(sql`feature_roles.granted_at`)}
  order by 1)`;

/**
 * Reads the rights of an Active user that have settled: those with which a user decides approvals, and credits, refunds
 * or pays alone.
 */
export async function getSettledRights(userId: string, tx: Executor = db()): Promise<Rights> {
  const [found] = await tx
    .select({ role: settledRole, permissions: settledPermissions })
    .from(users)
    .where(sql`${eq(users.id, userId)} and ${users.status} = 'Active' and ${users.deletedAt} is null`);
  return { role: found?.role ?? '', permissions: found?.permissions.filter(isPermission) ?? [] };
}
