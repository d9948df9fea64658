import { db } from '../../db/client';
import { lockRights } from '../acl/lock-rights';
import type { Permission } from '../acl/permissions';
import type { Actor } from '../auth/actor';
import { changePerson } from './change';
import { requirePerson } from './directory-queries';
import { lockPerson } from './lock-person';
import type { PersonRow } from './views';

/**
 * Gives somebody a role in place of the one they have. The role they have already is no change, so that both addresses
 * that assign one may be called for the same choice.
 * @param access what the address asks for
 * @throws AppError not_found, invalid_input for an unknown role, forbidden as `changePerson`
 */
export async function assignRole(
  caller: Actor,
  userId: string,
  role: string,
  access: Permission | readonly Permission[] = 'ManageUsers',
): Promise<PersonRow> {
  return db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, access);
    await changePerson(tx, actor, await lockPerson(tx, userId), { role });
    return requirePerson(userId, tx);
  });
}
