import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import type { WalletUserRow } from '@/lib/users/views';
import { UserName } from './user-name';
import { WalletUserMenu } from './wallet-user-menu';

/** Everybody and what their wallets hold. @param topUpHref where somebody's top-up opens */
export function userColumns(topUpHref: (userId: string) => string): Column<WalletUserRow>[] {
  return [
    {
      key: 'user',
      header: 'User',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-48',
      cell: (user) => <UserName {...user} />,
    },
    { key: 'role', header: 'Role', className: 'whitespace-nowrap', cell: (user) => user.role },
    { key: 'status', header: 'Status', cell: (user) => <UserStatusBadge status={user.status} /> },
    {
      key: 'balance',
      header: 'Balance',
      align: 'right',
      sortKey: 'balance',
      firstOrder: 'desc',
      cell: (user) => <Money amountMinor={user.balanceCents} className="font-medium text-ink" />,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: (user) => <WalletUserMenu user={user} topUpHref={topUpHref(user.id)} />,
    },
  ];
}
