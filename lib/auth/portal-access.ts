import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { grantedPermissions, mayAccess } from '@/lib/access/authorize';
import { isPermission, type Rights } from '@/lib/access/permissions';
import { type Portal, portalNames, portals } from './portals';

/** Lists the portals that a user with these rights may open. */
export function listOpenPortals(rights: Rights): Portal[] {
  return portalNames.filter((portal) => mayAccess(rights, portals[portal].access));
}

/**
 * Checks a user's role against the database, for the middleware. True for an unknown user: the page redirects it, and for
 * a session that shows another user's portal.
 */
export async function mayOpenPortal(userId: string, sessionId: string, portal: Portal): Promise<boolean> {
  const [user] = await db()
    .select({
      role: users.role,
      permissions: grantedPermissions,
      isViewing: sql<boolean>`exists (select from ${sessions}
        where ${sessions.id} = ${sessionId} and ${sessions.viewedUserId} is not null)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!user || user.isViewing) return true;
  return mayAccess({ ...user, permissions: user.permissions.filter(isPermission) }, portals[portal].access);
}
