import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { featureRoles } from '@/db/schema/feature-roles';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { toConflictError } from './create';
import { getFeaturePermissions, isFeature } from './features';
import { requireFeatureRole, requireHolder } from './queries';
import type { UpdateFeatureRoleInput } from './schemas';
import type { FeatureRoleRow } from './views';

/**
 * Updates a record's name, features or user; omitted fields stay unchanged.
 * @throws AppError not_found, conflict for a stale `version` or a repeated name, and as `createFeatureRole`, for both
 * the previous and the new user and features
 */
export async function updateFeatureRole(
  caller: Actor,
  id: string,
  { version, ...wanted }: UpdateFeatureRoleInput,
): Promise<FeatureRoleRow> {
  const saving = db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const before = await requireFeatureRole(id, tx);
    requireVersion(before, version, `“${before.name}”`);
    const held = before.features.filter(isFeature);
    const { name = before.name, userId = before.userId, features = held } = wanted;
    await requireHolder(tx, actor, before.userId, held);
    const person = await requireHolder(tx, actor, userId, features);
    await tx
      .update(featureRoles)
      .set({
        name,
        userId: person.id,
        features,
        permissions: getFeaturePermissions(features),
        version: before.version + 1,
      })
      .where(eq(featureRoles.id, id));
    const details = `${person.email} has the role “${name}” with ${features.join(', ') || 'no features'}.`;
    await recordAudit(tx, actor, {
      action: 'feature_role.updated',
      details,
      entityType: 'feature_role',
      entityId: id,
      before: { name: before.name, userId: before.userId, features: before.features },
      after: { name, userId: person.id, features },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
    return requireFeatureRole(id, tx);
  });
  return saving.catch((thrown: unknown) => {
    throw toConflictError(thrown);
  });
}
