import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import { type IdRange, toCursorPage } from '@/db/read-id-page';
import { readRanges, readSortedPage } from '@/db/read-sorted-page';
import { ledgerAccounts } from '@/db/schema/ledger';
import { userNameOrEmail, users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { walletCurrency } from '@/lib/money';
import type { WalletUserRow } from './contract';
import { countPeople, matchesUser } from './queries';

export const walletUserSortKeys = ['name', 'balance'] as const;
type Sort = { key: (typeof walletUserSortKeys)[number]; order: 'asc' | 'desc' };

const isWallet = and(eq(ledgerAccounts.kind, 'wallet'), eq(ledgerAccounts.currency, walletCurrency));
const ownWallet = and(isWallet, eq(ledgerAccounts.owner, users.id));

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  /** The stored balance of the wallet; a wallet without transactions has no row. */
  balanceCents: sql<number>`coalesce(${ledgerAccounts.balanceCents}, 0)`.mapWith(Number),
};

/** Lists the users who are not deleted, with their balance; `q` searches name, email, role and id. */
export async function listWalletUsers(
  { q, ...page }: PageRequest & { q?: string | undefined },
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<CursorPage<WalletUserRow> & CappedCount> {
  const where = and(isNull(users.deletedAt), matchesUser(q));
  const [found, counted] = await Promise.all([
    sort.key === 'balance'
      ? readByBalance(where, page, sort.order)
      : readSortedPage(
          { id: users.id, value: userNameOrEmail, nulls: 'none', order: sort.order, from: users, where },
          page,
          readUsers,
        ),
    countPeople({ q }),
  ]);
  return { ...found, ...counted };
}

/** Selects users with the balance of their wallet. */
export const selectWalletUsers = (on: Reader) => on.select(columns).from(users).leftJoin(ledgerAccounts, ownWallet);

const readUsers = ({ where, orderBy, limit, offset }: IdRange) =>
  selectWalletUsers(db()).where(where).orderBy(orderBy).limit(limit).offset(offset);

/**
 * Reads a page by balance and id: the wallets with money, and the users without in order of their id. The balances have
 * no index: every transfer changes one, and an index would double the work of that.
 */
async function readByBalance(
  where: SQL | undefined,
  { limit, offset = 0, cursor }: PageRequest,
  order: Sort['order'],
): Promise<CursorPage<WalletUserRow>> {
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  const isDescending = (order === 'desc') !== isBack;
  const [direction, beyond] = isDescending ? [desc, lt] : [asc, gt];
  const start = cursor && 'id' in cursor ? { id: cursor.id, balanceCents: await findBalance(cursor.id) } : undefined;
  const isAtMoney = start !== undefined && start.balanceCents > 0;
  const withMoney = {
    where:
      start && isAtMoney
        ? or(
            beyond(ledgerAccounts.balanceCents, start.balanceCents),
            and(eq(ledgerAccounts.balanceCents, start.balanceCents), beyond(ledgerAccounts.owner, start.id)),
          )
        : undefined,
    orderBy: sql`${direction(ledgerAccounts.balanceCents)}, ${direction(ledgerAccounts.owner)}`,
  };
  const without = { where: start && !isAtMoney ? beyond(users.id, start.id) : undefined, orderBy: direction(users.id) };
  const ranges = isDescending ? [withMoney, without] : [without, withMoney];
  const rows: WalletUserRow[] = await readRanges(
    start && isAtMoney !== isDescending ? ranges.slice(1) : ranges,
    { limit: limit + 1, offset: cursor ? 0 : offset },
    (range) => (range.orderBy === without.orderBy ? readWithout(where, range) : readWithMoney(where, range)),
    () => db().$count(users, and(where, isDescending ? hasMoney : sql`not ${hasMoney}`)),
  );
  return toCursorPage(rows, { limit, offset, cursor });
}

const hasMoney = sql`exists (select from ${ledgerAccounts} where ${ownWallet} and ${ledgerAccounts.balanceCents} > 0)`;

async function findBalance(userId: string): Promise<number> {
  const [row] = await db()
    .select({ balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(and(isWallet, eq(ledgerAccounts.owner, userId)));
  return row?.balanceCents ?? 0;
}

function readWithMoney(where: SQL | undefined, { where: beyond, orderBy, limit, offset }: IdRange) {
  // Sorted before the join, so that only the users of the page are read.
  const wallets = db()
    .select({ owner: ledgerAccounts.owner, balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(and(isWallet, gt(ledgerAccounts.balanceCents, 0), beyond))
    .orderBy(orderBy)
    .offset(0)
    .as('wallets');
  return db()
    .select({ ...columns, balanceCents: wallets.balanceCents })
    .from(wallets)
    .innerJoin(users, eq(users.id, wallets.owner))
    .where(where)
    .limit(limit)
    .offset(offset);
}

const readWithout = (where: SQL | undefined, { where: beyond, orderBy, limit, offset }: IdRange) =>
  db()
    .select({ ...columns, balanceCents: sql<number>`0`.mapWith(Number) })
    .from(users)
    .where(and(where, beyond, sql`not ${hasMoney}`))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);

/** Finds a user with the wallet's balance; null for an unknown id or a deleted user. */
export async function findWalletUser(id: string): Promise<WalletUserRow | null> {
  const [row] = await selectWalletUsers(db()).where(and(eq(users.id, id), isNull(users.deletedAt)));
  return row ?? null;
}
