import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { rolePermissions, roles, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { getRolePermissions, isAdminRole, type Permission, type RoleRow } from '@/lib/access/permissions';
import { requireRole } from '@/lib/access/roles';
import { type Approval, withApproval } from '@/lib/approvals/request';
import { requireGrantAllowed } from '@/lib/approvals/staff-rights';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Creates a role without permissions.
 * @throws AppError conflict when the name is taken, ignoring case
 */
export async function createRole(caller: Actor, name: string): Promise<RoleRow> {
  return db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const [created] = await tx.insert(roles).values({ name }).onConflictDoNothing().returning({ name: roles.name });
    if (!created) {
      const message = `The role “${name}” already exists. Choose another name.`;
      throw new AppError('conflict', message, { fields: { name: message } });
    }
    await recordAudit(tx, actor, {
      action: 'role.created',
      details: `The role “${name}” was created.`,
      entityType: 'role',
      entityId: name,
      after: { name },
    });
    return { name, isBuiltIn: false, permissions: [], userCount: 0, isCapped: false };
  });
}

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

/**
 * Grants a permission to a role, effective from its users' next request. Does nothing when the role already has it.
 * @throws AppError not_found, forbidden when the actor lacks the permission or another one of the role
 */
export async function grantPermission(caller: Actor, name: string, permission: Permission): Promise<void> {
  const grant = () => db().transaction((tx) => grantPermissionIn(tx, caller, { role: name, permission }));
  await withApproval(caller, grant, ['permission', 'the role stays unchanged']);
}

/**
 * Grants a permission to a role inside the caller's transaction.
 * @param approval the approved request
 * @throws ApprovalRequired while rights of staff need approval
 */
export async function grantPermissionIn(
  tx: Executor,
  caller: Actor,
  { role: name, permission }: { role: string; permission: Permission },
  approval?: Approval,
): Promise<void> {
  const actor = await lockRights(tx, caller, 'ManageRoles');
  const role = await requireRole(name, tx);
  requireCovered(actor, { role: role.name, permissions: [...getRolePermissions(role), permission] });
  if (getRolePermissions(role).includes(permission)) return;
  const held = { role: role.name, permissions: getRolePermissions(role) };
  await requireGrantAllowed(tx, {
    held,
    rights: { role: role.name, permissions: [...held.permissions, permission] },
    payload: { change: 'permission', role: role.name, permission },
    subject: `role:${role.name}`,
    summary: `Give ${permission} to the role “${role.name}”, which ${role.userCount} users have.`,
    approval,
  });
  await tx.insert(rolePermissions).values({ roleName: role.name, permission, grantedAt: sql`now()` });
  const details = `The role “${role.name}” was given ${permission}; ${role.userCount} users have it.`;
  await recordAudit(tx, actor, {
    action: 'role.permission_granted',
    details,
    entityType: 'role',
    entityId: role.name,
    after: { permission },
  });
  await queueAdminNotice(tx, actor, { subject: 'The permissions of a role changed', text: details });
}

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
    const claimed = await tx
      .delete(rolePermissions)
      .where(and(eq(rolePermissions.roleName, role.name), eq(rolePermissions.permission, permission)))
      .returning({ permission: rolePermissions.permission });
    if (claimed.length === 0) return;
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
