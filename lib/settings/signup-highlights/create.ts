import { db } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '../../access/actor';
import { newId } from '../../ids';
import { recordAudit } from '../../platform/audit/record';
import type { CreateFeatureInput } from './schemas';
import { lockFeatures, requireNewName } from './update';

/**
 * Adds a sign-up highlight, which is shown beside the registration form.
 * @throws AppError conflict for a name that exists
 */
export async function createFeature(actor: Actor, input: CreateFeatureInput): Promise<void> {
  const id = newId();
  await db().transaction(async (tx) => {
    await lockFeatures(tx);
    await requireNewName(tx, input.name);
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
