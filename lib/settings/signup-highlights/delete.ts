import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '../../access/actor';
import { recordAudit } from '../../platform/audit/record';
import type { DeleteFeatureInput } from './schemas';
import { editedFeature, lockFeatures } from './update';

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
