import type { Executor } from '../../db/client';
import type { Rights } from '../acl/covers';
import { requireCovered } from '../acl/require-covered';
import { AppError } from '../errors';
import { type LockedPerson, lockPerson } from '../users/lock-person';
import type { Feature } from './features';
import { permissionsOfFeatures } from './features';

/**
 * Locks the person who is to have these features.
 * @throws AppError invalid_input under the form's field for nobody, forbidden for somebody with more rights than the
 * actor and for features that allow more than the actor may
 */
export async function requireHolder(
  tx: Executor,
  actor: Rights,
  userId: string,
  features: readonly Feature[],
): Promise<LockedPerson> {
  const person = await lockPerson(tx, userId).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
    const message = 'Please select a valid user.';
    throw new AppError('invalid_input', message, { fields: { userId: message } });
  });
  requireCovered(actor, person);
  requireCovered(actor, { role: '', permissions: permissionsOfFeatures(features) });
  return person;
}
