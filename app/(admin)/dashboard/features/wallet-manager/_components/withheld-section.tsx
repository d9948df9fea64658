import { type Column, DataTable } from '@/components/table/data-table';
import type { SearchParams } from '@/components/table/url';
import { Money } from '@/components/ui/money';
import { TransactionDate } from '@/components/wallet/transaction-date';
import { providerNames } from '@/lib/payments/providers/names';
import type { Withheld } from '@/lib/payments/reversals/withheld-returns';
import { ConfirmReturn } from './confirm-return';
import { UserName } from './user-name';

const columns: Column<Withheld>[] = [
  {
    key: 'since',
    header: 'Since',
    className: 'whitespace-nowrap',
    cell: (one) => <TransactionDate at={one.since.toISOString()} />,
  },
  {
    key: 'user',
    header: 'User',
    className: 'w-full max-w-0 min-w-48',
    cell: ({ user }) => <UserName name={user.name} email={user.email} />,
  },
  {
    key: 'provider',
    header: 'At the provider',
    className: 'whitespace-nowrap',
    cell: (one) => `${providerNames[one.provider]}, ${one.reference}`,
  },
  {
    key: 'amount',
    header: 'Taken',
    align: 'right',
    cell: (one) => <Money amountMinor={one.amountMinor} currency={one.currency} className="font-medium text-ink" />,
  },
  { key: 'actions', header: 'Actions', headerHidden: true, align: 'right', cell: (one) => <ConfirmReturn one={one} /> },
];

type WithheldSectionProps = { rows: Withheld[]; pathname: string; searchParams: SearchParams };

/** Rare, and so only there when something is. */
export function WithheldSection({ rows, pathname, searchParams }: WithheldSectionProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="withheld-heading">
      <h2 id="withheld-heading" className="font-medium text-base text-ink">
        Won, but not back
      </h2>
      <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
        The dispute was won, and the provider has not told that what it took came back. Look there, and say so here.
      </p>
      <DataTable
        caption="Won disputes whose money is not back"
        columns={columns}
        rows={rows}
        rowKey={(one) => one.reversalId}
        card={(one) => <WithheldCard one={one} />}
        pathname={pathname}
        searchParams={searchParams}
        empty={null}
      />
    </section>
  );
}

/** One of them, on a phone. */
function WithheldCard({ one }: { one: Withheld }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.user.name} email={one.user.email} />
        <Money amountMinor={one.amountMinor} currency={one.currency} className="shrink-0 font-medium text-ink" />
      </div>
      <p className="break-all text-muted text-xs">
        {providerNames[one.provider]}, {one.reference}
      </p>
      <div className="flex items-end justify-between gap-3 text-sm">
        <TransactionDate at={one.since.toISOString()} />
        <ConfirmReturn one={one} />
      </div>
    </div>
  );
}
