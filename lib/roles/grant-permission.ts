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
 * Grants a permission to a role, effective from its users' next request. Does nothing when the role already has it.
 * @throws AppError not_found, forbidden when the actor lacks the permission or another one of the role, conflict for
 * the roles that users receive at registration
 */
export async function grantPermission(caller: Actor, name: string, permission: Permission): Promise<void> {
  await db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const role = await requireRole(name, tx);
    requireCovered(actor, { role: role.name, permissions: [...getRolePermissions(role), permission] });
    if (getRolePermissions(role).includes(permission)) return;
    if (role.isBuiltIn && !isAdminRole(role.name)) {
      throw new AppError(
        'conflict',
        `Every new account gets the ${role.name} role, so it cannot have admin permissions. Create a role for your staff.`,
      );
    }
    await tx.insert(rolePermissions).values({ roleName: role.name, permission });
    const details = `The role “${role.name}” was given ${permission}; ${role.userCount} users have it.`;
    await recordAudit(tx, actor, {
      action: 'role.permission_granted',
      details,
      entityType: 'role',
      entityId: role.name,
      after: { permission },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a role changed', text: details });
  });
}
