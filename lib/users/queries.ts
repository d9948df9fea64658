import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { userSearchText, users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import { isPermission, type Rights } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { requirePerson } from './directory-queries';
import type { PersonRow } from './views';

/** @throws AppError not_found for an unknown id; deleted users are found, because their transactions are kept */
export async function requireUser(
  id: string,
): Promise<{ id: string; name: string; email: string; isDeleted: boolean }> {
  const [user] = await db()
    .select({ id: users.id, name: users.name, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, id));
  if (!user) throw new AppError('not_found', 'This user does not exist.');
  return { id: user.id, name: user.name, email: user.email, isDeleted: user.deletedAt !== null };
}

/**
 * Matches users whose name, email or role contains the text, or whose id equals it; undefined without a text. The full
 * address of a user matches that user only, by its key: most parts of an address occur in many others.
 */
export function matchesUser(q: string | undefined): SQL | undefined {
  if (!q) return undefined;
  const containsText = textContains(userSearchText, q);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(q)) return or(eq(users.id, q.toLowerCase()), containsText);
  const withAddress = sql`select ${users.id} from ${users} where lower(${users.email}) = lower(${q}) and ${isNull(users.deletedAt)}`;
  return sql`${users.id} in (
    ${withAddress} union all
    select ${users.id} from ${users} where ${containsText} and not exists (${withAddress}))`;
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('users_email_key') }) });

/** Whether an error is a violation of the unique email, ignoring case. */
export function isEmailTaken(thrown: unknown): boolean {
  return sqlError.safeParse(thrown).success;
}

/** Creates the error for a taken address. A deleted account keeps its address, so that its records keep their owner. */
export function createEmailTakenError(email: string): AppError {
  const message = `An account with the email ${email} exists or was deleted. Use another address.`;
  return new AppError('conflict', message, { fields: { email: message } });
}

export type LockedPerson = PersonRow & Rights;

/**
 * Locks a user for a change. Signing in and all other changes of a user take the same lock.
 * @throws AppError not_found for an unknown id or a deleted user
 */
export async function lockPerson(tx: Executor, id: string): Promise<LockedPerson> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('no key update');
  // A separate statement, which sees changes that were committed while the first one waited for the lock.
  const person = await requirePerson(id, tx);
  return { ...person, permissions: person.permissions.filter(isPermission) };
}
