import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PaymentIssues } from '@/lib/payments/config/find-payment-issues';

/** What could not be taken from the provider or asked of it, and why; nothing while all is well. */
export function TroublesCard({ troubles: { notifications, topups } }: { troubles: PaymentIssues }) {
  if (notifications.count + topups.count === 0) return null;
  return (
    <Card>
      <CardHeader
        title="Not processed yet"
        description="Top-ups are asked about again by themselves, notifications taken when they are sent again. What stays here needs a look."
      />
      <CardBody className="grid gap-4 text-sm">
        {notifications.count > 0 ? (
          <TroubleList
            title={`Notifications: ${notifications.count}`}
            lines={notifications.newest.map(({ id, type, at, why }) => ({ id, name: type, at, why }))}
          />
        ) : null}
        {topups.count > 0 ? (
          <TroubleList
            title={`Open top-ups: ${topups.count}`}
            lines={topups.newest.map(({ id, at, why }) => ({ id, name: id, at, why }))}
          />
        ) : null}
      </CardBody>
    </Card>
  );
}

type Line = { id: string; name: string; at: Date; why: string | null };

function TroubleList({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <section aria-label={title}>
      <h3 className="font-medium text-ink">{title}</h3>
      <ul className="mt-2 grid gap-2">
        {lines.map(({ id, name, at, why }) => (
          <li key={id}>
            <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs">
              <span className="wrap-anywhere font-mono">{name}</span>
              <TimeAgo at={at} className="text-muted" />
            </span>
            <span className="wrap-anywhere block text-red-ink text-xs">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
