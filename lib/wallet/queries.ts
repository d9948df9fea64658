import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { CappedCount } from '@/db/count-up-to';
import { transferKinds } from '@/db/schema/ledger';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { countTransactionsUpTo, findWallet, readTransactionPage } from './transaction-pages';
import { transactionRow } from './transaction-row';
import type { WalletTransactionRow } from './views';

/** `q` searches id, type, status, method, note, amount and time (transaction-search.ts). */
type ListOptions = PageRequest & { q?: string | undefined };

/** Lists a user's wallet transactions, newest first: transfers from the wallet's side, and pending top-ups. */
export async function listWalletTransactions(
  userId: string,
  { q = '', ...page }: ListOptions,
): Promise<CursorPage<WalletTransactionRow> & CappedCount> {
  const scope = { wallet: await findWallet(userId), text: q.trim(), users: [] };
  const [found, counted] = await Promise.all([
    readTransactionPage(scope, page, { row: transactionRow }),
    countTransactionsUpTo(scope),
  ]);
  return { ...found, ...counted };
}

const rowOfKind = transactionRow.extend({ kind: z.enum(transferKinds).nullable() });

/** Lists a user's newest wallet transactions with the kind of their transfer; null for a pending top-up. */
export async function listRecentTransactions(userId: string, limit: number): Promise<z.output<typeof rowOfKind>[]> {
  const scope = { wallet: await findWallet(userId), text: '', users: [] };
  return (await readTransactionPage(scope, { limit }, { row: rowOfKind, columns: sql`, l.kind` })).rows;
}
