import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { hashChosenPassword } from '@/lib/auth/choose-password';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { changePerson } from './change';
import { requirePerson } from './directory-queries';
import { createEmailTakenError, isEmailTaken, lockPerson } from './queries';
import type { UpdateUserInput } from './schemas';
import type { PersonRow } from './views';

/**
 * Updates a user for staff; omitted fields stay unchanged.
 * @throws AppError not_found, invalid_input for a password that is easy to guess, conflict for a stale `version` or an
 * address that has an account, and as `changePerson`
 */
export async function updateUser(
  caller: Actor,
  id: string,
  { version, password, ...wanted }: UpdateUserInput,
): Promise<PersonRow> {
  const passwordHash = password === undefined ? undefined : await hashNewPassword(id, password, wanted);
  const saving = db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageUsers');
    const person = await lockPerson(tx, id);
    requireVersion(person, version, person.email);
    await changePerson(tx, actor, person, { ...wanted, passwordHash });
    return requirePerson(id, tx);
  });
  return saving.catch((thrown: unknown) => {
    throw isEmailTaken(thrown) ? createEmailTakenError(wanted.email ?? '') : thrown;
  });
}

async function hashNewPassword(
  id: string,
  password: string,
  wanted: Pick<UpdateUserInput, 'name' | 'email'>,
): Promise<string> {
  const { name, email } = await requirePerson(id);
  return hashChosenPassword(password, { name: wanted.name ?? name, email: wanted.email ?? email });
}
