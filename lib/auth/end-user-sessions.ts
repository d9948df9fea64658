import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { grantedPermissions } from '../acl/granted-permissions';
import { isPermission } from '../acl/permissions';
import { requireCovered } from '../acl/require-covered';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { Actor } from './actor';
import { endAllSessions } from './end-all-sessions';

/**
 * Signs somebody out everywhere, on an admin's word; the caller has checked ManageUsers.
 * @returns how many sessions were ended
 * @throws AppError not_found when nobody has the e-mail, forbidden when staff would sign out somebody with more rights
 */
export async function endUserSessions(actor: Actor, email: string): Promise<{ email: string; ended: number }> {
  return db().transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role, permissions: grantedPermissions })
      .from(users)
      .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.deletedAt)));
    if (!user) {
      const message = 'Nobody has this email.';
      throw new AppError('not_found', message, { fields: { email: message } });
    }
    requireCovered(actor, { role: user.role, permissions: user.permissions.filter(isPermission) });
    const ended = await endAllSessions(tx, user.id, user.id === actor.userId ? actor.sessionId : '');
    await recordAudit(tx, actor, {
      action: 'session.ended',
      details: `${actor.email} signed ${user.email} out everywhere; ${ended} sessions were ended.`,
      entityType: 'user',
      entityId: user.id,
    });
    return { email: user.email, ended };
  });
}
