import Link from 'next/link';
import { type Column, noValue } from '@/components/table/data-table';
import { formatUrl } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import type { EarningEntry, SellerAccount } from '@/lib/earnings/statement';

/** The names of the balances of the accounts. */
const balanceNames: Record<SellerAccount, string> = { available: 'Available', pending: 'Not payable yet' };

const kindNames: Record<SellerAccount, Partial<Record<EarningEntry['kind'], string>>> = {
  available: { ripened: 'Became available', payout: 'Payout requested', payout_returned: 'Payout returned' },
  pending: { earned: 'Earned', returned: 'Returned to the buyer', ripened: 'Became payable' },
};

/** The kinds of entries that add to a balance and take from it. What leaves one account for the other has no sign. */
const signs: Record<SellerAccount, Partial<Record<EarningEntry['kind'], 'credit' | 'debit'>>> = {
  available: { ripened: 'credit', payout: 'debit', payout_returned: 'credit' },
  pending: { earned: 'credit', returned: 'debit' },
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the columns of the statement of an account. */
export const entryColumns = (account: SellerAccount): Column<EarningEntry>[] => [
  { key: 'date', header: 'Date', className: 'whitespace-nowrap', cell: (entry) => <EntryDate at={entry.at} /> },
  { key: 'order', header: 'Order', cell: (entry) => <OrderLink entry={entry} /> },
  {
    key: 'website',
    header: 'Website',
    phone: 'title',
    className: 'w-full min-w-40 max-w-0',
    cell: ({ website, kind }) =>
      website ? (
        <span className="block truncate">{formatUrl(website)}</span>
      ) : (
        <>
          <span className="max-md:hidden">–</span>
          <span className="md:hidden">{kindNames[account][kind]}</span>
        </>
      ),
  },
  { key: 'type', header: 'Type', className: 'whitespace-nowrap', cell: ({ kind }) => kindNames[account][kind] },
  {
    key: 'amount',
    header: 'Amount',
    phone: 'end',
    align: 'right',
    cell: (entry) => <EntryAmount entry={entry} account={account} />,
  },
  {
    key: 'balance',
    header: balanceNames[account],
    phone: 'labeled',
    align: 'right',
    cell: (entry) => <Money amountMinor={entry.balanceCents} className="text-ink" />,
  },
];

type EntryProps = { entry: EarningEntry; account: SellerAccount };

/** Renders the day in UTC, by which the months are separated. */
function EntryDate({ at }: { at: string }) {
  return <time dateTime={at}>{day.format(new Date(at))}</time>;
}

function EntryAmount({ entry: { kind, amountCents }, account }: EntryProps) {
  const sign = signs[account][kind];
  return (
    <Money
      amountMinor={amountCents}
      {...(sign && { sign })}
      className={`font-medium ${sign === 'credit' ? 'text-green-ink' : 'text-ink'}`}
    />
  );
}

function OrderLink({ entry: { orderId, hasPage } }: { entry: EarningEntry }) {
  if (orderId === null) return noValue;
  if (!hasPage) return `#${orderId}`;
  return (
    <Link
      prefetch={false}
      href={`/seller/orders/${orderId}`}
      className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
    >
      #{orderId}
    </Link>
  );
}
