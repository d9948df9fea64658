import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { type CappedCount, countUpTo } from '../../db/count-up-to';
import { users } from '../../db/schema/users';
import type { Reader } from '../../db/snapshot';
import { grantedPermissions } from '../access/authorize';
import { AppError } from '../errors';
import type { CappedPage } from '../platform/http/fields';
import { matchesUser } from './queries';
import type { UserFilter } from './schemas';
import type { PersonRow } from './views';

export const personSortKeys = ['name', 'role', 'status', 'joined', 'seen'] as const;
type Sort = { key: (typeof personSortKeys)[number]; order: 'asc' | 'desc' };

const lastSeenAt = sql<Date | null>`(select max(sessions.last_seen_at) from sessions where sessions.user_id = users.id)`;

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  permissions: grantedPermissions,
  version: users.version,
  createdAt: users.createdAt,
  lastSeenAt: lastSeenAt.mapWith((at: string) => new Date(at)),
};

/** Lists the users who are not deleted; all of them without a limit. `q` searches name, email, role and id. */
export async function listPeople(
  { q, role, status, limit, offset }: UserFilter & { limit?: number | undefined; offset: number },
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<CappedPage<PersonRow>> {
  const list = selectPeople({ q, role, status, offset }, sort)(db());
  const [rows, counted] = await Promise.all([
    limit === undefined ? list : list.limit(limit),
    countPeople({ q, role, status }),
  ]);
  return { rows, ...counted };
}

/** Builds the query of `listPeople` without a limit. */
export const selectPeople =
  ({ offset, ...filter }: UserFilter & { offset: number }, sort: Sort = { key: 'name', order: 'asc' }) =>
  (on: Reader) =>
    on
      .select(columns)
      .from(users)
      .where(peopleCondition(filter))
      .orderBy(getOrder(sort), sort.order === 'asc' ? asc(users.id) : desc(users.id))
      .offset(offset);

/** Counts the users that match a filter. */
export const countPeople = (filter: UserFilter, on: Executor = db()): Promise<CappedCount> =>
  countUpTo(
    (limit) =>
      db()
        .select({ one: sql`1`.as('one') })
        .from(users)
        .where(peopleCondition(filter))
        .limit(limit),
    on,
  );

const peopleCondition = ({ q, role, status }: UserFilter) =>
  and(
    isNull(users.deletedAt),
    role ? eq(sql`lower(${users.role})`, role.toLowerCase()) : undefined,
    status && eq(users.status, status),
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

/** @throws AppError not_found for an unknown id or a deleted user */
export async function requirePerson(id: string, executor: Executor = db()): Promise<PersonRow> {
  const person = await findPerson(id, executor);
  if (!person) throw new AppError('not_found', 'This user does not exist or was deleted.');
  return person;
}

/** Users who have never signed in are last in both directions. */
function getOrder({ key, order }: Sort): SQL {
  const direction = order === 'asc' ? asc : desc;
  if (key === 'seen') return sql`${direction(lastSeenAt)} nulls last`;
  return direction(sortColumns[key]);
}

const sortColumns = {
  name: sql`lower(coalesce(nullif(${users.name}, ''), ${users.email}))`,
  role: sql`lower(${users.role})`,
  status: users.status,
  joined: users.createdAt,
};
