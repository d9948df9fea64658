import { AppError } from '../errors';
import { covers, type Rights } from './covers';
import { isAdminRole } from './permissions';

/**
 * @param wanted what would be given, taken or changed
 * @throws AppError forbidden when it is more than the actor holds, naming what is missing
 */
export function requireCovered(actor: Rights, wanted: Rights): void {
  if (covers(actor, wanted)) return;
  if (isAdminRole(wanted.role)) throw new AppError('forbidden', 'Only an admin can do this to an admin or make one.');
  const missing = wanted.permissions.filter((permission) => !actor.permissions.includes(permission));
  throw new AppError(
    'forbidden',
    `This takes rights that you do not have yourself: ${missing.join(', ')}. Ask an admin.`,
  );
}
