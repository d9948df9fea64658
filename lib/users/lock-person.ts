import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import type { Rights } from '../acl/covers';
import { isPermission } from '../acl/permissions';
import { requirePerson } from './directory-queries';
import type { PersonRow } from './views';

export type LockedPerson = PersonRow & Rights;

/**
 * Locks somebody for a change, as signing in and everything else that changes a person does.
 * @throws AppError not_found for nobody and for a deleted person
 */
export async function lockPerson(tx: Executor, id: string): Promise<LockedPerson> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('no key update');
  // A statement of its own: it sees what was committed while the one above waited.
  const person = await requirePerson(id, tx);
  return { ...person, permissions: person.permissions.filter(isPermission) };
}
