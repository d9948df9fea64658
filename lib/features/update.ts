import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { features } from '../../db/schema/features';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { editedFeature, lockFeatures, requireNewName } from './edited-row';
import type { UpdateFeatureInput } from './schemas';

/** @throws AppError not_found, conflict for a stale `version` or a name that is there already */
export async function updateFeature(actor: Actor, { id, version, ...after }: UpdateFeatureInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockFeatures(tx);
    const { name, description } = await editedFeature(tx, { id, version });
    await requireNewName(tx, after.name, id);
    await tx
      .update(features)
      .set({ ...after, version: version + 1 })
      .where(eq(features.id, id));
    await recordAudit(tx, actor, {
      action: 'feature.changed',
      details: `Feature “${after.name}” changed.`,
      entityType: 'feature',
      entityId: id,
      before: { name, description },
      after,
    });
  });
}
