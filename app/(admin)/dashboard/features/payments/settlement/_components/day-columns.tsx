import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { SettlementDay } from '@/lib/payments/settlement/queries';

const amount = (
  key: string,
  header: string,
  minor: (day: SettlementDay) => number,
): Column<SettlementDay> & { minor: (day: SettlementDay) => number } => ({
  key,
  header,
  align: 'right',
  minor,
  cell: (day) => <Money amountMinor={minor(day)} currency={day.currency} className="text-ink" />,
});

const amounts = [
  amount('received', 'Received', (day) => day.receivedMinor),
  amount('returned', 'Refunded', (day) => day.returnedMinor),
  amount('fees', 'Fees', (day) => day.feesMinor),
  amount('paid-out', 'Paid out', (day) => day.paidOutMinor),
  amount('owed', 'Still owed', (day) => day.owedMinor),
];

/** By provider and day: what came in, what went out, what is left. */
export const dayColumns: Column<SettlementDay>[] = [
  { key: 'day', header: 'Day (UTC)', cell: ({ day }) => <time dateTime={day}>{day}</time> },
  {
    key: 'provider',
    header: 'Provider',
    cell: ({ provider, mode }) => (
      <span className="text-ink">
        {providerNames[provider]}
        {mode === 'live' ? null : <span className="text-muted"> · {mode}</span>}
      </span>
    ),
  },
  ...amounts,
];

/** One day of a provider on a phone. */
export function DayCard({ day }: { day: SettlementDay }) {
  return (
    <div className="grid gap-1.5">
      <p className="flex items-baseline justify-between gap-3 font-medium text-ink">
        <span>{providerNames[day.provider]}</span>
        <time dateTime={day.day}>{day.day}</time>
      </p>
      <dl className="grid gap-1 text-sm">
        {amounts.map(({ key, header, minor }) => (
          <div key={key} className="flex items-baseline justify-between gap-3">
            <dt className="text-muted">{header}</dt>
            <dd>
              <Money amountMinor={minor(day)} currency={day.currency} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
