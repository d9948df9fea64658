import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { rolePermissions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { getRolePermissions, isAdminRole, type Permission } from '@/lib/access/permissions';
import { requireRole } from '@/lib/access/roles';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Revokes a permission from a role, effective from its users' next request. Does nothing when the role does not have
 * it.
 * @throws AppError not_found, forbidden for a role with more rights than the actor, conflict for Admin
 */
export async function revokePermission(caller: Actor, name: string, permission: Permission): Promise<void> {
  await db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const role = await requireRole(name, tx);
    if (isAdminRole(role.name)) throw new AppError('conflict', 'Admin always has every permission.');
    requireCovered(actor, { role: role.name, permissions: getRolePermissions(role) });
    const taken = await tx
      .delete(rolePermissions)
      .where(and(eq(rolePermissions.roleName, role.name), eq(rolePermissions.permission, permission)))
      .returning({ permission: rolePermissions.permission });
    if (taken.length === 0) return;
    const details = `${permission} was removed from the role “${role.name}”; ${role.userCount} users have it.`;
    await recordAudit(tx, actor, {
      action: 'role.permission_revoked',
      details,
      entityType: 'role',
      entityId: role.name,
      before: { permission },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a role changed', text: details });
  });
}
