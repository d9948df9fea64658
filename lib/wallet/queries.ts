import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import { transferKinds } from '@/db/schema/ledger';
import { holds } from '@/lib/access/account-controllers';
import type { PageRequest } from '@/lib/id-cursor';
import { allFlows } from '@/lib/ledger/moves';
import { walletCurrency } from '@/lib/money';
import { findMatchingAccounts, isMatchingAccount } from '@/lib/users/search-accounts';
import type { AdminTransactionsQuery } from './admin-schemas';
import type { AdminTransactionRow } from './contract';
import {
  countTransactionsUpTo,
  findWallet,
  getTransactionPage,
  listTransactions,
  type TransactionReader,
  type TransactionScope,
  transactionRow,
} from './transaction-pages';

/** `q` searches id, type, status, method, note, amount and time (transaction-search.ts). */
type ListOptions = PageRequest & { q?: string | undefined };

/** Lists a user's wallet transactions, newest first: transfers from the wallet's side, and pending top-ups. */
export async function listWalletTransactions(accountId: string, { q = '', ...page }: ListOptions) {
  const scope = { wallet: await findWallet(accountId), text: q.trim(), matched: [] };
  const [found, counted] = await Promise.all([
    getTransactionPage(scope, page, { row: transactionRow }),
    countTransactionsUpTo(scope),
  ]);
  return { ...found, ...counted };
}

const rowOfKind = transactionRow.extend({ kind: z.enum(transferKinds).nullable() });

/** Lists a user's newest wallet transactions with the kind of their transfer; null for a pending top-up. */
export async function listRecentTransactions(accountId: string, limit: number): Promise<z.output<typeof rowOfKind>[]> {
  const scope = { wallet: await findWallet(accountId), text: '', matched: [] };
  return (await getTransactionPage(scope, { limit }, { row: rowOfKind, columns: sql`, l.kind` })).rows;
}

const shape = {
  row: transactionRow.extend({ userName: z.string(), userEmail: z.string(), kind: z.enum(transferKinds).nullable() }),
  columns: sql`, u.name as "userName", u.email as "userEmail", l.kind`,
};

type TransactionFilter = Pick<AdminTransactionsQuery, 'q' | 'userId'>;

/**
 * Lists the wallet transactions of all accounts, newest first: transfers from the side of each wallet, and pending
 * top-ups. `q` searches name, email and role of the user, name and address of the team, and the transaction
 * (transaction-search.ts).
 */
export async function listAllTransactions({ limit, offset, cursor, ...filter }: TransactionFilter & PageRequest) {
  const scope = await findScope(filter);
  const [page, counted] = await Promise.all([
    getTransactionPage(scope, { limit, offset, cursor }, shape),
    countTransactionsUpTo(scope),
  ]);
  return { ...page, ...counted };
}

/** Counts the transactions that match a filter, up to a cap. */
export const countFilteredTransactions = async (filter: TransactionFilter, on?: TransactionReader) =>
  countTransactionsUpTo(await findScope(filter, on), on);

/** Counts all wallet transactions, up to a cap. */
export const countTransactions = (): Promise<CappedCount> => countTransactionsUpTo({ text: '', matched: [] });

type StreamOptions = { on?: TransactionReader; offset?: number; batchSize?: number };

/**
 * Streams all matching transactions (`all=1`) in the same order, in batches, so that they are never all in memory.
 * @param options.on a snapshot for a consistent result; with the pool, each batch reads the current state
 * @param options.offset number of rows to skip
 */
export async function* streamTransactions(
  filter: TransactionFilter,
  options: StreamOptions = {},
): AsyncGenerator<AdminTransactionRow[]> {
  yield* streamScope(await findScope(filter, options.on), options);
}

/** Streams the transactions of a user's wallet that the wallet's screen lists. @param on a snapshot */
export async function* streamWalletTransactions(
  userId: string,
  q: string,
  on: TransactionReader,
): AsyncGenerator<AdminTransactionRow[]> {
  yield* streamScope({ wallet: await findWallet(userId, on), text: q.trim(), matched: [] }, { on });
}

async function* streamScope(
  scope: TransactionScope,
  { on = db(), offset = 0, batchSize = 500 }: StreamOptions,
): AsyncGenerator<AdminTransactionRow[]> {
  let rows: AdminTransactionRow[] = [];
  let last: string | undefined;
  do {
    const where = last === undefined ? undefined : sql`id < ${last}`;
    const skipped = last === undefined ? offset : 0;
    rows = await listTransactions(
      scope,
      { where, orderBy: sql`id desc`, limit: batchSize, offset: skipped },
      shape,
      on,
    );
    last = rows.at(-1)?.id;
    yield rows;
  } while (rows.length >= batchSize);
}

/** Finds the wallet of a filter, and the accounts that its search matches. */
async function findScope({ q, userId }: TransactionFilter, on: TransactionReader = db()): Promise<TransactionScope> {
  const text = q.trim();
  const wallet = userId ? await findWallet(userId, on) : undefined;
  if (text === '') return { wallet, text, matched: [] };
  if (!wallet) return { text, matched: await findMatchingAccounts(text, on) };
  return { wallet, text: (await holds(on, isMatchingAccount(wallet.ownerId, text))) ? '' : text, matched: [] };
}

/** Returns the sum of all wallet balances in USD cents: of all transfers to wallets, less those from wallets. */
export async function getTotalWalletBalance(): Promise<number> {
  const rows = await db().execute(sql`
    select coalesce(sum(case when to_kind = 'wallet' then amount_cents else -amount_cents end), 0) as cents
    from (${allFlows}) as flows where 'wallet' in (from_kind, to_kind) and currency = ${walletCurrency}`);
  return z.object({ cents: z.coerce.number().int() }).parse(rows[0]).cents;
}
