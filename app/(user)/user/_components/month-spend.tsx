import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { countOf } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { Progress } from '@/components/ui/progress';
import type { getMonthSpend, MonthSpend } from '@/lib/dashboard/month-spend';
import { formatUsd } from '@/lib/money';

/** Shows what members and projects spent this month, with bars for their limits; nothing without any. */
export function MonthSpendCards({ members, projects }: Awaited<ReturnType<typeof getMonthSpend>>) {
  if (members.rows.length + projects.rows.length === 0) return null;
  return (
    <div className="mt-4 grid gap-4 xl:grid-cols-2 xl:[&>:only-child]:col-span-2">
      <SpendCard title="Spent this month by member" noun="member" {...members} />
      <SpendCard title="Spent this month by project" noun="project" {...projects} />
    </div>
  );
}

type SpendCardProps = { title: string; noun: string; rows: readonly MonthSpend[]; more: number };

function SpendCard({ title, noun, rows, more }: SpendCardProps) {
  if (rows.length === 0) return null;
  return (
    <Card aria-label={title}>
      <CardHeader title={title} description="With tax, less refunds (UTC)" />
      <CardBody>
        <ul className="grid gap-3">
          {rows.map((row) => (
            <SpendRow key={row.id} row={row} />
          ))}
        </ul>
        {more > 0 ? <p className="mt-3 text-muted text-sm">{`${countOf(more, noun)} more`}</p> : null}
      </CardBody>
    </Card>
  );
}

function SpendRow({ row: { name, spentCents, limitCents } }: { row: MonthSpend }) {
  const isUsedUp = limitCents !== null && spentCents >= limitCents;
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate text-ink">{name}</span>
        <span className="shrink-0 text-muted">
          <Money amountMinor={spentCents} className="font-medium text-ink" />
          {limitCents === null ? null : (
            <>
              {' of '}
              <Money amountMinor={limitCents} />
              {isUsedUp ? ', used up' : ''}
            </>
          )}
        </span>
      </p>
      {limitCents === null ? null : (
        <Progress
          value={spentCents}
          max={Math.max(limitCents, 1)}
          label={`${name}: ${formatUsd(spentCents)} of ${formatUsd(limitCents)}`}
          tone={isUsedUp ? 'red' : 'accent'}
        />
      )}
    </li>
  );
}
