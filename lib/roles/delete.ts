import { and, eq, isNotNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { roles, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { getRolePermissions } from '@/lib/access/permissions';
import { requireRole } from '@/lib/access/roles';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Deletes a role without users.
 * @throws AppError not_found, forbidden for a role with more rights than the actor, conflict for a built-in role or a
 * role with users
 */
export async function deleteRole(caller: Actor, name: string): Promise<void> {
  await db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const role = await requireRole(name, tx);
    if (role.isBuiltIn) throw new AppError('conflict', `${role.name} is a built-in role and cannot be deleted.`);
    requireCovered(actor, { role: role.name, permissions: getRolePermissions(role) });
    if (role.userCount > 0) {
      const who = role.userCount === 1 ? 'One user has' : `${role.userCount} users have`;
      throw new AppError('conflict', `${who} the role “${role.name}”. Assign them another role first.`);
    }
    // Deleted users keep their row because of their transactions, and a row needs a role.
    await tx
      .update(users)
      .set({ role: 'User' })
      .where(and(eq(users.role, role.name), isNotNull(users.deletedAt)));
    await tx.delete(roles).where(eq(roles.name, role.name));
    await recordAudit(tx, actor, {
      action: 'role.deleted',
      details: `The role “${role.name}” was deleted.`,
      entityType: 'role',
      entityId: role.name,
      before: { name: role.name, permissions: getRolePermissions(role) },
    });
  });
}
