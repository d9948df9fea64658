import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import type { Revenue } from '@/lib/dashboard/admin';
import { RevenueBars } from './revenue-bars';

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const label = (text: string) => day.format(new Date(`${text}T00:00:00Z`));

/** Revenue of the last 30 days: bars, and the same figures as a table. */
export async function RevenueCard({ revenue }: { revenue: Promise<Revenue> }) {
  const { days, recentCents } = await revenue;
  const bars = days.map(({ day, amountCents }) => ({ day, label: label(day), amountCents }));
  return (
    <Card>
      <CardHeader
        title="Revenue per day"
        description="Orders less refunds, by the day of the order (UTC)"
        actions={<Money amountMinor={recentCents} className="font-medium text-ink text-sm" />}
      />
      <CardBody>
        <RevenueBars bars={bars} />
        <details className="group mt-4 text-sm">
          <summary className="w-fit rounded-sm py-0.5 text-accent-ink hover:underline">
            <span className="group-open:hidden">Show as a table</span>
            <span className="hidden group-open:inline">Hide the table</span>
          </summary>
          <div className="mt-3 rounded-md border border-line">
            <table className="w-full">
              <caption className="sr-only">Revenue per day</caption>
              <thead>
                <tr className="text-muted text-xs">
                  <th scope="col" className="rounded-tl-md bg-sunken px-3 py-2 text-left">
                    Day
                  </th>
                  <th scope="col" className="rounded-tr-md bg-sunken px-3 py-2 text-right">
                    Revenue
                  </th>
                </tr>
              </thead>
              <tbody>
                {bars.toReversed().map((bar) => (
                  <tr key={bar.day}>
                    <th scope="row" className="border-line border-t px-3 py-1.5 text-left font-normal">
                      <time dateTime={bar.day}>{bar.label}</time>
                    </th>
                    <td className="border-line border-t px-3 py-1.5 text-right">
                      <Money amountMinor={bar.amountCents} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </CardBody>
    </Card>
  );
}
