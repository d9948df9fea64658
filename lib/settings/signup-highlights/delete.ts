import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import type { DeleteHighlightInput } from './schemas';
import { lockHighlights, requireHighlight } from './update';

/** @throws AppError not_found, conflict for a stale `version` */
export async function deleteHighlight(actor: Actor, input: DeleteHighlightInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockHighlights(tx);
    const { id, name, description } = await requireHighlight(tx, input);
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
