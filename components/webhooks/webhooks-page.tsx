import Link from 'next/link';
import { FeatureDisabled } from '@/components/shell/notices';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { type EndpointView, endpointView } from '@/lib/developers/webhooks/contract';
import { listEndpoints } from '@/lib/developers/webhooks/queries';
import { listAllowedTypes, type Scope } from '@/lib/developers/webhooks/rights';
import { eventTypes } from '@/lib/events/types';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { EndpointActions } from './endpoint-actions';
import { AddEndpoint, type EventChoice } from './endpoint-dialog';

const offTexts = { owner: 'Off', failing: 'Off after failures', gone: 'Off: 410 Gone' };

/** Renders the state of an endpoint as a badge. */
export function EndpointState({ endpoint }: { endpoint: EndpointView }) {
  const { isEnabled, offReason, failingSince, isOwnerEntitled } = endpoint;
  if (!isEnabled)
    return <Badge tone={offReason === 'owner' ? 'neutral' : 'red'}>{offTexts[offReason ?? 'owner']}</Badge>;
  if (isOwnerEntitled === false) return <Badge tone="yellow">Paused</Badge>;
  if (failingSince !== null) return <Badge tone="yellow">Failing</Badge>;
  return <Badge tone="green">On</Badge>;
}

/** Describes the last answer of an endpoint or a delivery. */
export function describeAnswer({ lastStatus, lastError }: Pick<EndpointView, 'lastStatus' | 'lastError'>): string {
  if (lastStatus !== null) return String(lastStatus);
  return lastError || 'None yet';
}

/** The addresses of the endpoints of a scope in the API. */
export const endpointsApi: Record<Scope, string> = { own: '/api/webhooks', installation: '/api/admin/webhooks' };

/** Lists the event types that the user can choose. */
export const eventChoices = (actor: Actor, scope: Scope): EventChoice[] =>
  listAllowedTypes(actor, scope).map((type) => ({ type, summary: eventTypes[type].summary }));

/** Renders the page of webhook endpoints, the same in every portal. @param pathname its path */
export async function WebhooksPage({ actor, scope, pathname }: { actor: Actor; scope: Scope; pathname: string }) {
  const { title, description } = screenTexts(pathname);
  const [rows, isOn] = await Promise.all([listEndpoints(actor, scope), isFlagOn('webhooks')]);
  if (!isOn && rows.length === 0) return <FeatureDisabled title={title} text={flags.webhooks.off} />;
  const choices = eventChoices(actor, scope);
  const api = endpointsApi[scope];
  const seesEvents = scope === 'installation' || actor.projectIds === null;
  const actions = (endpoint: EndpointView) => <EndpointActions api={api} endpoint={endpoint} choices={choices} />;
  const columns: Column<EndpointView>[] = [
    {
      key: 'url',
      header: 'Endpoint',
      phone: 'title',
      cell: (endpoint) => <Name endpoint={endpoint} pathname={pathname} />,
    },
    { key: 'state', header: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { key: 'events', header: 'Events', phone: 'labeled', align: 'right', cell: ({ events }) => events.length },
    { key: 'answer', header: 'Last answer', phone: 'labeled', cell: (endpoint) => <LastAnswer endpoint={endpoint} /> },
    actionsColumn(actions, { phone: 'end' }),
  ];
  return (
    <RecordList
      title={title}
      description={
        <>
          {description}{' '}
          <Link href="/developers#webhooks" className="text-accent-ink underline">
            API guide
          </Link>
        </>
      }
      actions={isOn && seesEvents ? <AddEndpoint api={api} choices={choices} /> : null}
      caption="Webhook endpoints"
      columns={columns}
      rows={rows.map((row) => endpointView(row))}
      rowKey={({ id }) => id}
      pathname={pathname}
      searchParams={{}}
      empty={{
        icon: <Icon name="webhook" />,
        title: 'No endpoints yet',
        children: seesEvents
          ? 'Add the address of a program. It receives each event as a signed POST request, within seconds.'
          : 'Webhooks cover all projects of the account. Ask a member who sees all of them.',
      }}
    >
      {isOn ? null : <Alert className="mb-6">{flags.webhooks.off}</Alert>}
    </RecordList>
  );
}

function Name({ endpoint: { id, url, description }, pathname }: { endpoint: EndpointView; pathname: string }) {
  return (
    <span className="grid min-w-0">
      <Link
        prefetch={false}
        href={`${pathname}/${id}`}
        className="wrap-anywhere line-clamp-2 font-medium text-ink hover:underline"
      >
        {url}
      </Link>
      {description ? <span className="wrap-anywhere line-clamp-2 text-muted text-xs">{description}</span> : null}
    </span>
  );
}

function LastAnswer({ endpoint }: { endpoint: EndpointView }) {
  const { lastAttemptAt } = endpoint;
  return (
    <span className="text-muted">
      {describeAnswer(endpoint)}
      {lastAttemptAt ? (
        <>
          {', '}
          <TimeAgo at={lastAttemptAt} />
        </>
      ) : null}
    </span>
  );
}
