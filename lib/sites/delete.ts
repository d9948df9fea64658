import { db } from '../../db/client';
import type { Actor } from '../auth/actor';
import { lockSite } from './lock';
import { markDeleted } from './mark-deleted';

/**
 * Takes a site out of every list; orders that were placed on it stay as they are.
 * @throws AppError not_found, also for one that is deleted already
 */
export async function deleteSite(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => markDeleted(tx, actor, await lockSite(tx, id)));
}
