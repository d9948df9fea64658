import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { featureRoles } from '@/db/schema/feature-roles';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { isFeature } from './features';
import { requireFeatureRole, requireHolder } from './queries';

/**
 * Revokes a record's features from its user; the user's role stays.
 * @throws AppError not_found, forbidden when the user or the features have more rights than the actor
 */
export async function deleteFeatureRole(caller: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const { name, userId, features } = await requireFeatureRole(id, tx);
    const person = await requireHolder(tx, actor, userId, features.filter(isFeature));
    await tx.delete(featureRoles).where(eq(featureRoles.id, id));
    const details = `${person.email} no longer has the role “${name}”.`;
    await recordAudit(tx, actor, {
      action: 'feature_role.deleted',
      details,
      entityType: 'feature_role',
      entityId: id,
      before: { name, userId, features },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
  });
}
