import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { roles } from '../../db/schema/users';
import { AppError } from '../errors';
import type { RoleRow } from './permissions';

const columns = {
  name: roles.name,
  isBuiltIn: roles.isBuiltIn,
  permissions: sql<
    string[]
  >`array(select role_permissions.permission from role_permissions where role_permissions.role_name = roles.name)`,
  userCount: sql<number>`(select count(*)::int from users where users.role = roles.name and users.deleted_at is null)`,
};

/** Lists the roles with their permissions: built-in roles first, then by name. */
export async function listRoles(): Promise<RoleRow[]> {
  return db().select(columns).from(roles).orderBy(sql`${roles.isBuiltIn} desc, lower(${roles.name})`);
}

/**
 * Finds a role by its name, ignoring case.
 * @throws AppError not_found
 */
export async function requireRole(name: string, executor: Executor = db()): Promise<RoleRow> {
  const [role] = await executor
    .select(columns)
    .from(roles)
    .where(eq(sql`lower(${roles.name})`, sql`lower(${name})`));
  if (!role) throw new AppError('not_found', `The role “${name}” does not exist.`);
  return role;
}
