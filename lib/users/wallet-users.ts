import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { type CappedCount, countCap, countRows, searchCountCap } from '@/db/count-up-to';
import { type IdRange, toCursorPage } from '@/db/read-id-page';
import { readRanges, readSortedPage } from '@/db/read-sorted-page';
import { accountNameOrEmail, accounts } from '@/db/schema/accounts';
import { ledgerAccounts } from '@/db/schema/ledger';
import { type UserStatus, users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { walletCurrency } from '@/lib/money';
import type { WalletUserRow } from './contract';
import { matchesAccount } from './search-accounts';

export const walletUserSortKeys = ['name', 'balance'] as const;
type Sort = { key: (typeof walletUserSortKeys)[number]; order: 'asc' | 'desc' };
type Filter = {
  q?: string | undefined;
  /** Undefined for accounts of both kinds. */
  kind?: WalletUserRow['kind'] | undefined;
};

// The ledger's table has the name of the accounts.
const wallets = alias(ledgerAccounts, 'wallets');
const isWallet = and(eq(wallets.kind, 'wallet'), eq(wallets.currency, walletCurrency));
const ownWallet = and(isWallet, eq(wallets.owner, accounts.id));

const columns = {
  id: accounts.id,
  kind: accounts.kind,
  name: accounts.name,
  email: accounts.email,
  /** Of a personal account those of its person. */
  role: sql<string>`coalesce(${users.role}, 'Team')`,
  status: sql<UserStatus>`coalesce(${users.status}, 'Active')`,
  /** The stored balance of the wallet; a wallet without transactions has no row. */
  balanceCents: sql<number>`coalesce(${wallets.balanceCents}, 0)`.mapWith(Number),
};

/** Builds the condition of a list of accounts that are not deleted. `q` searches name, email, role and id. */
export const walletCondition = ({ q, kind }: Filter) =>
  and(isNull(accounts.deletedAt), kind && eq(accounts.kind, kind), matchesAccount(q));

/** Lists the accounts that are not deleted, of users and of teams, with their balance. */
export async function listWalletUsers(
  { q, kind, ...page }: PageRequest & Filter,
  sort: Sort = { key: 'name', order: 'asc' },
): Promise<CursorPage<WalletUserRow> & CappedCount> {
  const where = walletCondition({ q, kind });
  const [found, counted] = await Promise.all([
    sort.key === 'balance'
      ? readByBalance(where, page, sort.order)
      : readSortedPage(
          { id: accounts.id, value: accountNameOrEmail, nulls: 'none', order: sort.order, from: accounts, where },
          page,
          readUsers,
        ),
    countWallets({ q, kind }),
  ]);
  return { ...found, ...counted };
}

/** Counts the accounts that `listWalletUsers` lists, up to a cap. */
const countWallets = (filter: Filter): Promise<CappedCount> =>
  countRows(accounts, walletCondition(filter), db(), filter.q ? searchCountCap : countCap);

/** Selects accounts with the balance of their wallet. */
export const selectWalletUsers = (on: Reader) =>
  on.select(columns).from(accounts).leftJoin(users, eq(users.id, accounts.id)).leftJoin(wallets, ownWallet);

const readUsers = ({ where, orderBy, limit, offset }: IdRange) =>
  selectWalletUsers(db()).where(where).orderBy(orderBy).limit(limit).offset(offset);

/**
 * Reads a page by balance and id: the wallets with money, and the accounts without in order of their id. The balances have
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
            beyond(wallets.balanceCents, start.balanceCents),
            and(eq(wallets.balanceCents, start.balanceCents), beyond(wallets.owner, start.id)),
          )
        : undefined,
    orderBy: sql`${direction(wallets.balanceCents)}, ${direction(wallets.owner)}`,
  };
  const without = {
    where: start && !isAtMoney ? beyond(accounts.id, start.id) : undefined,
    orderBy: direction(accounts.id),
  };
  const ranges = isDescending ? [withMoney, without] : [without, withMoney];
  const rows: WalletUserRow[] = await readRanges(
    start && isAtMoney !== isDescending ? ranges.slice(1) : ranges,
    { limit: limit + 1, offset: cursor ? 0 : offset },
    (range) => (range.orderBy === without.orderBy ? readWithout(where, range) : readWithMoney(where, range, direction)),
    () => db().$count(accounts, and(where, isDescending ? hasMoney : sql`not ${hasMoney}`)),
  );
  return toCursorPage(rows, { limit, offset, cursor });
}

const hasMoney = sql`exists (select from ledger.accounts wallets where ${ownWallet} and ${wallets.balanceCents} > 0)`;

async function findBalance(accountId: string): Promise<number> {
  const [row] = await db()
    .select({ balanceCents: wallets.balanceCents })
    .from(wallets)
    .where(and(isWallet, eq(wallets.owner, accountId)));
  return row?.balanceCents ?? 0;
}

function readWithMoney(
  where: SQL | undefined,
  { where: beyond, orderBy, limit, offset }: IdRange,
  direction: typeof asc,
) {
  // Sorted before the join, so that only the accounts of the page are read.
  const sorted = db()
    .select({ owner: wallets.owner, balanceCents: wallets.balanceCents })
    .from(wallets)
    .where(and(isWallet, gt(wallets.balanceCents, 0), beyond))
    .orderBy(orderBy)
    .offset(0)
    .as('page');
  return db()
    .select({ ...columns, balanceCents: sorted.balanceCents })
    .from(sorted)
    .innerJoin(accounts, eq(accounts.id, sorted.owner))
    .leftJoin(users, eq(users.id, accounts.id))
    .where(where)
    .orderBy(direction(sorted.balanceCents), direction(sorted.owner))
    .limit(limit)
    .offset(offset);
}

const readWithout = (where: SQL | undefined, { where: beyond, orderBy, limit, offset }: IdRange) =>
  db()
    .select({ ...columns, balanceCents: sql<number>`0`.mapWith(Number) })
    .from(accounts)
    .leftJoin(users, eq(users.id, accounts.id))
    .where(and(where, beyond, sql`not ${hasMoney}`))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);

/** Finds an account with the wallet's balance; null for an unknown id or a deleted account. */
export async function findWalletUser(id: string): Promise<WalletUserRow | null> {
  const [row] = await selectWalletUsers(db()).where(and(eq(accounts.id, id), isNull(accounts.deletedAt)));
  return row ?? null;
}
