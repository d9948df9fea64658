import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TransactionDate } from '@/components/wallet/transaction-date';
import type { Receivable } from '@/lib/ledger/receivables';
import { CollectReceivable } from './collect-receivable';
import { UserName } from './user-name';

export const receivableColumns: Column<Receivable>[] = [
  {
    key: 'user',
    header: 'User',
    className: 'w-full max-w-0 min-w-48',
    cell: (one) => <UserName name={one.name} email={one.email} />,
  },
  {
    key: 'since',
    header: 'Last change',
    className: 'whitespace-nowrap',
    cell: (one) => <TransactionDate at={one.since} />,
  },
  { key: 'balance', header: 'In the wallet', align: 'right', cell: (one) => <Money amountMinor={one.balanceCents} /> },
  {
    key: 'owed',
    header: 'Owed',
    align: 'right',
    cell: (one) => <Money amountMinor={one.owedCents} className="font-medium text-red-ink" />,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (one) => <CollectReceivable one={one} />,
  },
];
