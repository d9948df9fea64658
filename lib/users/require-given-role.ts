import type { Executor } from '../../db/client';
import type { Rights } from '../acl/covers';
import { requireRole } from '../acl/queries';
import { permissionsOf } from '../acl/views';
import { AppError } from '../errors';

/**
 * The role that somebody is to be given, in its own spelling, and what it lets them do.
 * @throws AppError invalid_input under the form's field when there is none of this name
 */
export async function requireGivenRole(tx: Executor, name: string): Promise<Rights> {
  const role = await requireRole(name, tx).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
    throw new AppError('invalid_input', thrown.message, { fields: { role: thrown.message } });
  });
  return { role: role.name, permissions: permissionsOf(role) };
}
