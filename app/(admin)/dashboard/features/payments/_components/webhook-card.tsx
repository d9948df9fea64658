import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PaymentProviderName } from '@/db/schema/topups';
import type { EventPosition } from '@/lib/payments/config/admin-config';
import { CopyButton } from './copy-button';
import { providerScreens } from './provider-fields';

type WebhookCardProps = {
  provider: PaymentProviderName;
  address: string;
  lastReceivedAt: Date | null;
  eventPosition: EventPosition;
};

/** Where the provider reports payments, what it should report, and whether it has. */
export function WebhookCard({ provider, address, lastReceivedAt, eventPosition }: WebhookCardProps) {
  const { tab, events, eventList } = providerScreens[provider];
  return (
    <Card>
      <CardHeader
        title="Webhook"
        description={
          events.length > 0
            ? `Register this address at ${tab}.`
            : `${tab} is told this address with every payment; nothing needs to be registered.`
        }
      />
      <CardBody className="grid gap-3 text-sm">
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 select-all wrap-anywhere rounded-md border border-line bg-sunken px-2.5 py-1.5 text-xs">
            {address}
          </code>
          <CopyButton text={address} label="Copy webhook address" />
        </div>
        <p className="text-muted">
          {lastReceivedAt ? (
            <>
              Last notification <TimeAgo at={lastReceivedAt} />
            </>
          ) : (
            'No notification received in this mode yet.'
          )}
        </p>
        <p className="text-muted">
          {eventPosition?.checkedAt ? (
            <>
              Missed notifications: {eventList} read <TimeAgo at={eventPosition.checkedAt} />
            </>
          ) : (
            `Missed notifications: ${eventList} not read in this mode yet.`
          )}
        </p>
        {eventPosition?.error ? (
          <p className="wrap-anywhere text-red-ink text-xs">
            The last reading failed
            {eventPosition.failedAt ? (
              <>
                {' '}
                <TimeAgo at={eventPosition.failedAt} />
              </>
            ) : null}
            : {eventPosition.error}
          </p>
        ) : null}
        {events.length > 0 ? (
          <details>
            <summary className="w-fit cursor-pointer rounded-sm text-accent-ink">Events to send</summary>
            <ul className="mt-2 grid gap-1 font-mono text-xs">
              {events.map((event) => (
                <li key={event} className="wrap-anywhere">
                  {event}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </CardBody>
    </Card>
  );
}
