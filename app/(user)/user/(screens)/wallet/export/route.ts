import { route } from '@/lib/auth/route';
import { csvFile, csvResponse } from '@/lib/platform/csv';
import { exportWalletTransactions, ownTransactionsQuery } from '@/lib/wallet/export';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'account:wallet',
    summary: "Exports the transactions of the caller's wallet as CSV, filtered as the screen.",
    response: csvFile,
    query: ownTransactionsQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { q } }) =>
    csvResponse(actor, 'transactions', (on) => exportWalletTransactions(actor.accountId, q, on)),
);
