import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { countCap } from '@/db/count-up-to';
import { roles } from '@/db/schema/users';
import { AppError } from '@/lib/errors';
import type { RoleRow } from './permissions';

const columns = {
  name: roles.name,
  isBuiltIn: roles.isBuiltIn,
  permissions: sql<
    string[]
  >`array(select role_permissions.permission from role_permissions where role_permissions.role_name = roles.name)`,
};
const holders = sql`select from users where users.role = roles.name and users.deleted_at is null`;

/** Lists the roles with their permissions: built-in roles first, then by name. Users are counted up to a cap. */
export async function listRoles(): Promise<RoleRow[]> {
  const userCount = sql<number>`(select count(*)::int from (${holders} limit ${countCap + 1}) as counted)`;
  const rows = await db()
    .select({ ...columns, userCount })
    .from(roles)
    .orderBy(sql`${roles.isBuiltIn} desc, lower(${roles.name})`);
  return rows.map((row) => ({
    ...row,
    userCount: Math.min(row.userCount, countCap),
    isCapped: row.userCount > countCap,
  }));
}

/**
 * Finds a role by its name, ignoring case.
 * @throws AppError not_found
 */
export async function requireRole(name: string, executor: Executor = db()): Promise<RoleRow> {
  const [role] = await executor
    .select({ ...columns, userCount: sql<number>`(select count(*)::int from (${holders}) as counted)` })
    .from(roles)
    .where(eq(sql`lower(${roles.name})`, sql`lower(${name})`));
  if (!role) throw new AppError('not_found', `The role “${name}” does not exist.`);
  return { ...role, isCapped: false };
}
