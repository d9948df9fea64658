import type { CappedCount } from '../../db/count-up-to';
import type { CursorPage, PageRequest } from '../id-cursor';
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
