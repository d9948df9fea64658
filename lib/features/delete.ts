import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { features } from '../../db/schema/features';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { editedFeature, lockFeatures } from './edited-row';
import type { DeleteFeatureInput } from './schemas';

/** @throws AppError not_found, conflict for a stale `version` */
export async function deleteFeature(actor: Actor, input: DeleteFeatureInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockFeatures(tx);
    const { id, name, description } = await editedFeature(tx, input);
    await tx.delete(features).where(eq(features.id, id));
    await recordAudit(tx, actor, {
      action: 'feature.deleted',
      details: `Feature “${name}” deleted.`,
      entityType: 'feature',
      entityId: id,
      before: { name, description },
    });
  });
}
