import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap } from '@/db/count-up-to';
import { type ListOrder, readSortedPage } from '@/db/read-sorted-page';
import { userNameOrEmail, userSearchText, users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import { grantedPermissions } from '@/lib/access/authorize';
import { isPermission, type Rights } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { userHasTag } from '@/lib/notes/tags';
import type { PersonRow, UserFilter } from './contract';

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

/** Checks whether an error is a violation of the unique email, ignoring case. */
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

export const personSortKeys = ['name', 'role', 'status', 'joined', 'seen'] as const;
type Sort = { key: (typeof personSortKeys)[number]; order: 'asc' | 'desc' };

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  permissions: grantedPermissions,
  version: users.version,
  invitedAt: users.invitedAt,
  createdAt: users.createdAt,
  lastSeenAt: users.lastSeenAt,
};

/** Lists a page of the users who are not deleted. `q` searches name, email and role, and finds an id or an email. */
export async function listPeople(
  { limit, offset, cursor, ...filter }: UserFilter & PageRequest,
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<CursorPage<PersonRow> & CappedCount> {
  const [page, counted] = await Promise.all([
    getPeople({ limit, offset, cursor, ...filter }, sort),
    countPeople(filter),
  ]);
  return { ...page, ...counted };
}

/** Reads a page of the users without counting them. */
export const getPeople = (
  { limit, offset, cursor, ...filter }: UserFilter & PageRequest,
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<CursorPage<PersonRow>> =>
  readSortedPage(
    { ...toListOrder(sort), from: users, where: peopleCondition(filter) },
    { limit, offset, cursor },
    (range) =>
      db()
        .select(columns)
        .from(users)
        .where(range.where)
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
  );

/** Builds the query of the whole list, by name. */
export const selectPeople =
  ({ offset, ...filter }: UserFilter & { offset: number }) =>
  (on: Reader) =>
    on
      .select(columns)
      .from(users)
      .where(peopleCondition(filter))
      .orderBy(userNameOrEmail, asc(users.id))
      .offset(offset);

/** Counts the users that match a filter, up to a cap. */
export const countPeople = (filter: UserFilter, on?: Executor): Promise<CappedCount> =>
  countUpTo(
    (limit) =>
      db()
        .select({ one: sql`1`.as('one') })
        .from(users)
        .where(peopleCondition(filter))
        .limit(limit),
    on,
    filter.q ? searchCountCap : countCap,
  );

/** Builds the condition of a list of users who are not deleted. */
export const peopleCondition = ({ q, role, status, tag }: UserFilter) =>
  and(
    isNull(users.deletedAt),
    role ? eq(sql`lower(${users.role})`, role.toLowerCase()) : undefined,
    status && eq(users.status, status),
    tag ? userHasTag(tag) : undefined,
    matchesUser(q),
  );

/** Finds a user; null for an unknown id or a deleted user. */
export async function findPerson(id: string, executor: Executor = db()): Promise<PersonRow | null> {
  const [row] = await executor
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return row ?? null;
}

/** Returns a user. @throws AppError not_found for an unknown id or a deleted user */
export async function requirePerson(id: string, executor: Executor = db()): Promise<PersonRow> {
  const person = await findPerson(id, executor);
  if (!person) throw new AppError('not_found', 'This user does not exist or was deleted.');
  return person;
}

/** Returns the order of a list. Users who have never signed in are last in both directions. Each order has an index. */
const toListOrder = ({ key, order }: Sort): ListOrder => ({
  id: users.id,
  value: sortValues[key],
  nulls: key === 'seen' ? 'last' : 'none',
  order,
});

const sortValues = {
  name: userNameOrEmail,
  role: sql`lower(${users.role})`,
  status: users.status,
  joined: users.createdAt,
  seen: users.lastSeenAt,
};
