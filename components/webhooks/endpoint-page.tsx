import { notFound } from 'next/navigation';
import type { SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Badge, type Tone } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, FactList } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import {
  type DeliveryView,
  deliveriesQuery,
  deliveryView,
  type EndpointView,
  endpointView,
  eventView,
} from '@/lib/developers/webhooks/contract';
import { getEndpoint, listDeliveries, listNewestEvents } from '@/lib/developers/webhooks/queries';
import type { Scope } from '@/lib/developers/webhooks/rights';
import { nullIfNotFound } from '@/lib/errors';
import { parseFilters } from '@/lib/platform/http/parse';
import { EndpointActions, SendAgain } from './endpoint-actions';
import { describeAnswer, EndpointState, endpointsApi, eventChoices } from './webhooks-page';

type EndpointPageProps = { actor: Actor; scope: Scope; pathname: string; id: string; searchParams: SearchParams };

/**
 * Renders the page of one endpoint: its state, the log of its deliveries, and the events that can be sent to it again.
 * @param pathname the path of the list of endpoints
 * @throws notFound() for an endpoint of another user
 */
export async function EndpointPage({ actor, scope, pathname, id, searchParams }: EndpointPageProps) {
  // PostgreSQL cannot compare every text that a URL can contain.
  const row = /^[0-9a-z]+$/.test(id) ? await nullIfNotFound(getEndpoint(actor, scope, id)) : null;
  if (!row) notFound();
  const endpoint = endpointView(row);
  const isEvents = searchParams.tab === 'events';
  const here = `${pathname}/${id}`;
  const api = `${endpointsApi[scope]}/${id}`;
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{new URL(endpoint.url).host}</span>}
        description={endpoint.description || undefined}
        actions={
          <>
            <ButtonLink href={pathname}>All endpoints</ButtonLink>
            <EndpointActions
              api={endpointsApi[scope]}
              endpoint={endpoint}
              choices={eventChoices(actor, scope)}
              listHref={pathname}
            />
          </>
        }
      />
      <div className="mb-6 grid gap-4">
        <EndpointNotice endpoint={endpoint} />
        <Card aria-label="Endpoint">
          <CardBody>
            <FactList
              facts={[
                ['URL', endpoint.url],
                ['State', <EndpointState key="state" endpoint={endpoint} />],
                ['Events', endpoint.events.join(', ')],
                ['Last answer', describeAnswer(endpoint)],
                ...(endpoint.ownerEmail ? [['Saved by', endpoint.ownerEmail] as [string, string]] : []),
              ]}
            />
          </CardBody>
        </Card>
      </div>
      <Tabs
        label="Log"
        tabs={[
          { href: here, label: 'Deliveries', current: !isEvents },
          { href: `${here}?tab=events`, label: 'Events', current: isEvents },
        ]}
      />
      <div className="mt-4">
        {isEvents ? (
          <EventList actor={actor} scope={scope} api={api} />
        ) : (
          <DeliveryLog actor={actor} scope={scope} id={id} api={api} here={here} searchParams={searchParams} />
        )}
      </div>
    </>
  );
}

function EndpointNotice({ endpoint }: { endpoint: EndpointView }) {
  const { isEnabled, offReason, previousSecretUntil, isOwnerEntitled } = endpoint;
  if (!isEnabled && offReason !== 'owner') {
    return (
      <Alert tone="error">
        {offReason === 'gone'
          ? 'The endpoint answered 410 Gone, so it was turned off.'
          : 'No event was delivered for three days, so the endpoint was turned off.'}{' '}
        Turn it on again after it is repaired.
      </Alert>
    );
  }
  if (isOwnerEntitled === false) {
    return (
      <Alert tone="warning">
        The person who saved this endpoint may no longer see all of its events, so some are not sent. Save it to take it
        over, and rotate its secret.
      </Alert>
    );
  }
  if (!previousSecretUntil) return null;
  return (
    <Alert>
      The previous secret also signs until <TimeAgo at={previousSecretUntil} />.
    </Alert>
  );
}

const states: Record<DeliveryView['state'], { tone: Tone; name: string }> = {
  pending: { tone: 'yellow', name: 'Waiting' },
  delivered: { tone: 'green', name: 'Delivered' },
  failed: { tone: 'red', name: 'Failed' },
  canceled: { tone: 'neutral', name: 'Canceled' },
};

type DeliveryLogProps = Pick<EndpointPageProps, 'actor' | 'scope' | 'id' | 'searchParams'> & {
  api: string;
  here: string;
};

async function DeliveryLog({ actor, scope, id, api, here, searchParams }: DeliveryLogProps) {
  const { filter } = parseFilters(deliveriesQuery, { cursor: searchParams.cursor });
  const { rows, next, previous } = await listDeliveries(actor, scope, id, filter);
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState icon={<Icon name="inbox" />} title="No deliveries yet">
          Events appear here within seconds. “Send test” sends one now.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ul aria-label="Deliveries" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rows.map(deliveryView).map((delivery) => (
          <li key={delivery.id} className="grid gap-2 px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <span className="wrap-anywhere font-medium text-ink">{delivery.type}</span>
              <Badge tone={states[delivery.state].tone}>{states[delivery.state].name}</Badge>
              <span className="text-muted">
                {describeAnswer(delivery)}, {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`},{' '}
                <TimeAgo at={delivery.createdAt} />
                {delivery.nextAttemptAt ? (
                  <>
                    {'; next '}
                    <TimeAgo at={delivery.nextAttemptAt} />
                  </>
                ) : null}
              </span>
              <span className="ml-auto">
                <SendAgain
                  path={`${api}/deliveries/${delivery.id}/retry`}
                  label="Retry"
                  name={`${delivery.type}, ${delivery.eventId}`}
                />
              </span>
            </div>
            <DeliveryDetails delivery={delivery} />
          </li>
        ))}
      </ul>
      <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
        {previous ? <ButtonLink href={`${here}?cursor=${previous}`}>Newer</ButtonLink> : null}
        {next ? <ButtonLink href={`${here}?cursor=${next}`}>Older</ButtonLink> : null}
      </nav>
    </>
  );
}

const preClass = 'wrap-anywhere overflow-x-auto whitespace-pre-wrap rounded-md bg-sunken p-3 text-ink text-xs';

function DeliveryDetails({ delivery: { eventId, body, log } }: { delivery: DeliveryView }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-accent-ink">Request and answers</summary>
      <div className="mt-2 grid gap-3">
        <p className="wrap-anywhere text-muted">Event {eventId}</p>
        <pre className={preClass}>{body}</pre>
        {log.map((attempt) => (
          <div key={attempt.at} className="grid gap-2 border-line border-t pt-3">
            <p className="wrap-anywhere text-ink">
              <TimeAgo at={attempt.at} />: {attempt.error || `answered ${attempt.status}`}{' '}
              <span className="text-muted">
                after {attempt.durationMs.toLocaleString('en-US')} ms, {attempt.url}
              </span>
            </p>
            <pre className={preClass}>
              {Object.entries(attempt.requestHeaders)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            </pre>
            {attempt.answer ? <pre className={preClass}>{attempt.answer}</pre> : null}
          </div>
        ))}
      </div>
    </details>
  );
}

async function EventList({ actor, scope, api }: Pick<EndpointPageProps, 'actor' | 'scope'> & { api: string }) {
  const events = (await listNewestEvents(actor, scope)).map(eventView);
  if (events.length === 0) {
    return (
      <Card>
        <EmptyState icon={<Icon name="inbox" />} title="No events in the last 30 days">
          Events are recorded when an order, a payment or a message changes.
        </EmptyState>
      </Card>
    );
  }
  return (
    <ul aria-label="Events" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {events.map((event) => (
        <li key={event.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
          <span className="wrap-anywhere font-medium text-ink">{event.type}</span>
          <TimeAgo at={event.timestamp} className="text-muted" />
          <span className="ml-auto">
            <SendAgain
              path={`${api}/deliveries`}
              body={{ eventId: event.id }}
              label="Send"
              name={`${event.type}, ${event.id}`}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
