import { z } from 'zod';
import { db } from '@/db/client';
import { featureRoles } from '@/db/schema/feature-roles';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { getFeaturePermissions } from './features';
import { requireFeatureRole, requireHolder } from './queries';
import type { FeatureRoleInput } from './schemas';
import type { FeatureRoleRow } from './views';

/**
 * Grants features to a user under a name, in addition to the user's role; effective from the next request.
 * @throws AppError invalid_input for an unknown user, forbidden for more rights than the actor has, conflict for a
 * repeated name
 */
export async function createFeatureRole(
  caller: Actor,
  { name, userId, features }: FeatureRoleInput,
): Promise<FeatureRoleRow> {
  const creating = db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const person = await requireHolder(tx, actor, userId, features);
    const id = newId();
    await tx
      .insert(featureRoles)
      .values({ id, name, userId: person.id, features, permissions: getFeaturePermissions(features) });
    const details = `${person.email} was given the role “${name}” with ${features.join(', ') || 'no features'}.`;
    await recordAudit(tx, actor, {
      action: 'feature_role.created',
      details,
      entityType: 'feature_role',
      entityId: id,
      after: { name, userId: person.id, features },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
    return requireFeatureRole(id, tx);
  });
  return creating.catch((thrown: unknown) => {
    throw toConflictError(thrown);
  });
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('feature_roles_user_name_key') }) });

/**
 * Converts a violation of the unique index (name per user, ignoring case) to a conflict; returns other errors
 * unchanged.
 */
export function toConflictError(thrown: unknown): unknown {
  if (!sqlError.safeParse(thrown).success) return thrown;
  const message = 'This user already has a role with this name. Edit that one, or choose another name.';
  return new AppError('conflict', message, { fields: { name: message } });
}
