import { and, asc, count, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { accounts } from '../../db/schema/ledger';
import { users } from '../../db/schema/users';
import { isPermission, type Rights } from '../access/permissions';
import { AppError } from '../errors';
import { walletCurrency } from '../money';
import type { Page } from '../platform/http/fields';
import { requirePerson } from './directory-queries';
import type { WalletUsersQuery } from './schemas';
import type { PersonRow, WalletUserRow } from './views';

export const walletUserSortKeys = ['name', 'balance'] as const;
type Sort = { key: (typeof walletUserSortKeys)[number]; order: 'asc' | 'desc' };

/** The wallet's stored balance; who never moved money has no row. */
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

/** Everybody who is not deleted, with what their wallet holds; `q` finds a part of name, e-mail or role, or an id. */
export async function listWalletUsers(
  { q, limit, offset }: WalletUsersQuery,
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<Page<WalletUserRow>> {
  const where = and(isNull(users.deletedAt), matches(q));
  const direction = sort.order === 'asc' ? asc : desc;
  const [rows, counted] = await Promise.all([
    db()
      .select(columns)
      .from(users)
      .leftJoin(accounts, ownWallet)
      .where(where)
      .orderBy(...orderOf(sort.key).map((column) => direction(column)), direction(users.id))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(users).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Somebody with what their wallet holds; null for nobody and for a deleted person. */
export async function findWalletUser(id: string): Promise<WalletUserRow | null> {
  const [row] = await db()
    .select(columns)
    .from(users)
    .leftJoin(accounts, ownWallet)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return row ?? null;
}

/** How many people there are. */
export async function countUsers(): Promise<number> {
  return db().$count(users, isNull(users.deletedAt));
}

/** @throws AppError not_found for nobody; a deleted person is found, since their books stay */
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

const orderOf = (key: Sort['key']) =>
  key === 'balance' ? [balanceCents] : [sql`lower(coalesce(nullif(${users.name}, ''), ${users.email}))`];

/** Whose name, e-mail or role holds the text, or whose id it is; everybody for none. */
export function matches(q: string | undefined): SQL | undefined {
  if (!q) return undefined;
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return or(
    eq(users.id, q.toLowerCase()),
    ...[users.name, users.email, users.role].map((column) => ilike(column, pattern)),
  );
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('users_email_key') }) });

/** Did the database refuse a second account with this e-mail, in whatever case? */
export function isEmailTaken(thrown: unknown): boolean {
  return sqlError.safeParse(thrown).success;
}

/** A deleted account keeps its address: its books stay, and nobody else shall be taken for its owner. */
export function emailTaken(email: string): AppError {
  const message = `An account with the email ${email} exists or was deleted. Use another address.`;
  return new AppError('conflict', message, { fields: { email: message } });
}

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
