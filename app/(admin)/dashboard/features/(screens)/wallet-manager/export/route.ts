import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';
import { exportWalletUsers } from '@/lib/users/export';
import { walletExportQuery } from '@/lib/wallet/admin-schemas';
import { exportTransactions } from '@/lib/wallet/export';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageWallets',
    summary: 'Exports the filtered wallets, or the filtered transactions of all wallets, as CSV.',
    response: csvFile,
    query: walletExportQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { tab, q, account } }) =>
    exportList(actor, tab === 'users' ? 'wallets' : 'transactions', { q, account }, (on) =>
      tab === 'users' ? exportWalletUsers(q, on) : exportTransactions({ q, userId: account }, on),
    ),
);
