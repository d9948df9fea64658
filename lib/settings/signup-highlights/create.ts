import { db } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import type { CreateHighlightInput } from './schemas';
import { lockHighlights, requireUniqueName } from './update';

/**
 * Adds a sign-up highlight, which is shown beside the registration form.
 * @throws AppError conflict for a name that exists
 */
export async function createHighlight(actor: Actor, input: CreateHighlightInput): Promise<void> {
  const id = newId();
  await db().transaction(async (tx) => {
    await lockHighlights(tx);
    await requireUniqueName(tx, input.name);
    await tx.insert(features).values({ id, ...input });
    await recordAudit(tx, actor, {
      action: 'feature.created',
      details: `Feature “${input.name}” added.`,
      entityType: 'feature',
      entityId: id,
      after: input,
    });
  });
}
