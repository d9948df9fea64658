import { and, asc, count, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { accounts } from '../../db/schema/ledger';
import { userSearchText, users } from '../../db/schema/users';
import { textContains } from '../../db/search';
import { isPermission, type Rights } from '../access/permissions';
import { AppError } from '../errors';
import { walletCurrency } from '../money';
import type { Page } from '../platform/http/fields';
import { requirePerson } from './directory-queries';
import type { WalletUsersQuery } from './schemas';
import type { PersonRow, WalletUserRow } from './views';

export const walletUserSortKeys = ['name', 'balance'] as const;
type Sort = { key: (typeof walletUserSortKeys)[number]; order: 'asc' | 'desc' };

/** The stored balance of the wallet; a wallet without transactions has no row. */
const balanceCents = sql<number>`coalesce(${accounts.balanceCents}, 0)`.mapWith(Number);
const ownWallet = and(eq(accounts.kind, 'wallet'), eq(accounts.owner, users.id), eq(accounts.currency, walletCurrency));

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  balanceCents,
};

/** Lists the users who are not deleted, with their balance; `q` searches name, email, role and id. */
export async function listWalletUsers(
  { q, limit, offset }: WalletUsersQuery,
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<Page<WalletUserRow>> {
  const where = and(isNull(users.deletedAt), matchesUser(q));
  const direction = sort.order === 'asc' ? asc : desc;
  const [rows, counted] = await Promise.all([
    db()
      .select(columns)
      .from(users)
      .leftJoin(accounts, ownWallet)
      .where(where)
      .orderBy(...getOrderColumns(sort.key).map((column) => direction(column)), direction(users.id))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(users).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Finds a user with the wallet's balance; null for an unknown id or a deleted user. */
export async function findWalletUser(id: string): Promise<WalletUserRow | null> {
  const [row] = await db()
    .select(columns)
    .from(users)
    .leftJoin(accounts, ownWallet)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return row ?? null;
}

/** Counts the users who are not deleted. */
export async function countUsers(): Promise<number> {
  return db().$count(users, isNull(users.deletedAt));
}

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

const getOrderColumns = (key: Sort['key']) =>
  key === 'balance' ? [balanceCents] : [sql`lower(coalesce(nullif(${users.name}, ''), ${users.email}))`];

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
