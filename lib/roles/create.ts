import { db } from '@/db/client';
import { roles } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import type { RoleRow } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
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
