import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { grantedPermissions, mayAccess } from '@/lib/access/authorize';
import { isPermission, type Rights } from '@/lib/access/permissions';
import { type Portal, portalNames, portals } from './portals';

/** Lists the portals that a user with these rights may open. */
export function listOpenPortals(rights: Rights): Portal[] {
  return portalNames.filter((portal) => mayAccess(rights, portals[portal].access));
}

/** Checks a user's role against the database, for the middleware. True for an unknown user: the page redirects it. */
export async function mayOpenPortal(userId: string, portal: Portal): Promise<boolean> {
  const [user] = await db()
    .select({ role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(eq(users.id, userId));
  return !user || mayAccess({ ...user, permissions: user.permissions.filter(isPermission) }, portals[portal].access);
}
