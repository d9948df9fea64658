import Link from 'next/link';
import { describeCause, isOpenCause } from '@/components/sites/record-causes';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import type { PlacementRules } from '@/lib/settings/placement-rules';
import type { CausedBy } from '@/lib/sites/record/list-causes';

type CauseListProps = {
  causes: readonly CausedBy[];
  /** The accepted orders of the last 12 months. */
  accepted: number;
  rules: PlacementRules;
};

/** Lists what would raise the seller's record, each with the orders that it is about. */
export function CauseList({ causes, accepted, rules }: CauseListProps) {
  return (
    <Card>
      <CardHeader title="What would raise it" description="What you can still do comes first." />
      {causes.length > 0 ? (
        <ul className="divide-y divide-line">
          {causes.map(({ cause, total, orders }) => {
            const { title, advice, href } = describeCause(cause, total, { accepted, rules });
            const more = total - orders.length;
            return (
              <li key={cause} className="flex items-start gap-3 px-4 py-3 text-sm sm:px-5">
                {isOpenCause(cause) ? (
                  <Icon name="circle-alert" className="mt-0.5 text-yellow-ink" />
                ) : (
                  <Icon name="lightbulb" className="mt-0.5 text-subtle" />
                )}
                <div className="min-w-0">
                  <p className="font-medium text-ink">{title}</p>
                  <p className="text-muted">{advice}</p>
                  <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
                    {orders.map(({ id, website }) => (
                      <li key={id} className="min-w-0 max-w-full">
                        <Link
                          prefetch={false}
                          href={`/seller/orders/${id}`}
                          className="block truncate rounded-sm py-0.5 text-accent-ink hover:underline"
                        >
                          #{id} {formatUrl(website)}
                        </Link>
                      </li>
                    ))}
                    {more > 0 ? (
                      <li className="py-0.5">
                        <Link prefetch={false} href={href} className="rounded-sm text-accent-ink hover:underline">
                          and {more.toLocaleString('en-US')} more
                        </Link>
                      </li>
                    ) : null}
                  </ul>
                </div>
              </li>
            );
          })}
        </ul>
      ) : (
        <EmptyState icon={<Icon name="circle-check" />} title="Nothing lowers your record">
          Every order was accepted and delivered in time, and its link is in place.
        </EmptyState>
      )}
    </Card>
  );
}
