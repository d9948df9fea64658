import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TransactionDate } from '@/components/wallet/transaction-date';
import { providerNames } from '@/lib/payments/providers/names';
import type { SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import { AcceptPayment } from './accept-payment';
import { UserName } from './user-name';

export const keptApartColumns: Column<SuspendedPayment>[] = [
  { key: 'since', header: 'Since', className: 'whitespace-nowrap', cell: (one) => <TransactionDate at={one.since} /> },
  {
    key: 'user',
    header: 'User',
    className: 'w-[28%] max-w-0 min-w-40',
    cell: ({ user }) => <UserName name={user.name} email={user.email} />,
  },
  { key: 'provider', header: 'Provider', className: 'whitespace-nowrap', cell: (one) => providerNames[one.provider] },
  {
    key: 'asked',
    header: 'Asked for',
    align: 'right',
    cell: (one) => <Money amountMinor={one.requestedMinor} currency={one.requestedCurrency} />,
  },
  {
    key: 'held',
    header: 'Kept apart',
    align: 'right',
    cell: (one) => <Money amountMinor={one.heldMinor} currency={one.currency} className="font-medium text-ink" />,
  },
  {
    key: 'reason',
    header: 'Reason',
    className: 'w-[44%] min-w-56',
    cell: (one) => (
      <>
        <span className="block break-words">{one.reason}</span>
        {one.refusal ? <span className="block text-muted text-xs">{one.refusal}</span> : null}
      </>
    ),
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (one) => <AcceptPayment one={one} />,
  },
];
