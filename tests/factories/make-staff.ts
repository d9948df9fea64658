import { db } from '@/db/client';
import { rolePermissions, roles } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import type { Permission } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';
import { makeAccount } from './make-account';

/** Creates a role with exactly these permissions. @returns its name */
export async function makeRole(granted: readonly Permission[], name = `Role ${newId()}`): Promise<string> {
  await db().insert(roles).values({ name });
  const rows = granted.map((permission) => ({ roleName: name, permission }));
  if (rows.length > 0) await db().insert(rolePermissions).values(rows);
  return name;
}

/** Creates a user who can sign in to the admin area, with exactly these permissions. */
export async function makeStaff(...granted: Permission[]): Promise<Actor> {
  const held: Permission[] = [...new Set<Permission>(['AdminDashboard', ...granted])];
  return { ...(await makeAccount({ role: await makeRole(held) })), permissions: held };
}
