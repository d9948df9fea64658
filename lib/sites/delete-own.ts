import { db } from '../../db/client';
import type { Actor } from '../auth/actor';
import { lockSite } from './lock';
import { markDeleted } from './mark-deleted';

/** Withdraws a seller's own site. @throws AppError not_found for a site that is not the actor's */
export async function deleteOwnSite(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => markDeleted(tx, actor, await lockSite(tx, id, actor.userId)));
}
