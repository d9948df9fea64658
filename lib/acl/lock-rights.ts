import { and, eq, isNull, sql } from 'drizzle-orm';
import { advisoryLock } from '../../db/advisory-locks';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { grantedPermissions } from './granted-permissions';
import { isPermission } from './permissions';
import { type Access, requireAccess } from './require';

/**
 * Takes its turn among those who change people's rights, and reads the actor's own anew: two admins who demote each
 * other at once come one after the other, and the second is no admin any more.
 * @returns the actor as the database has them now
 * @throws AppError unauthenticated when they were suspended or deleted meanwhile, forbidden when they may no longer do it
 */
export async function lockRights(tx: Executor, actor: Actor, access: Exclude<Access, 'public'>): Promise<Actor> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('rights')})`);
  const [now] = await tx
    .select({ role: users.role, status: users.status, permissions: grantedPermissions })
    .from(users)
    .where(and(eq(users.id, actor.userId), eq(users.status, 'Active'), isNull(users.deletedAt)));
  if (!now) throw new AppError('unauthenticated', 'Please sign in to continue.');
  return requireAccess({ ...actor, ...now, permissions: now.permissions.filter(isPermission) }, access);
}
