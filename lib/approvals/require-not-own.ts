import type { AnyActor } from '../auth/actor';
import { AppError } from '../errors';

/**
 * Refuses to move money into the acting person's own wallet, whatever their permissions: staff who are buyers as well
 * must not pay themselves.
 * @param what completes "You cannot …", e.g. "credit your own wallet"
 * @throws AppError forbidden
 */
export function requireNotOwn(actor: AnyActor, walletOwner: string, what: string): void {
  if (actor.userId !== walletOwner) return;
  throw new AppError('forbidden', `You cannot ${what}. Ask another person with the permission to do it.`);
}
