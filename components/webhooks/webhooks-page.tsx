import { Webhook } from 'lucide-react';
import Link from 'next/link';
import { FeatureDisabled } from '@/components/shell/feature-disabled';
import { type Column, DataTable } from '@/components/table/data-table';
import { Alert } from '@/components/ui/alert';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { listEndpoints } from '@/lib/developers/webhooks/queries';
import { listAllowedTypes, type Scope } from '@/lib/developers/webhooks/rights';
import { type EndpointView, endpointView } from '@/lib/developers/webhooks/views';
import { eventTypes } from '@/lib/events/types';
import { flags } from '@/lib/settings/feature-flags/flags';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { AddEndpoint } from './add-endpoint';
import { EndpointActions } from './endpoint-actions';
import type { EventChoice } from './endpoint-dialog';
import { describeAnswer, EndpointState } from './endpoint-state';
import { webhooksDescription, webhooksTitle } from './page-texts';

/** The addresses of the endpoints of a scope in the API. */
export const endpointsApi: Record<Scope, string> = { own: '/api/webhooks', installation: '/api/admin/webhooks' };

/** Lists the event types that the user can choose. */
export const eventChoices = (actor: Actor, scope: Scope): EventChoice[] =>
  listAllowedTypes(actor, scope).map((type) => ({ type, summary: eventTypes[type].summary }));

/** The page of webhook endpoints, the same in every portal. @param pathname its path */
export async function WebhooksPage({ actor, scope, pathname }: { actor: Actor; scope: Scope; pathname: string }) {
  const [rows, isOn] = await Promise.all([listEndpoints(actor, scope), isFlagOn('webhooks')]);
  if (!isOn && rows.length === 0) return <FeatureDisabled title={webhooksTitle} text={flags.webhooks.off} />;
  const choices = eventChoices(actor, scope);
  const api = endpointsApi[scope];
  const actions = (endpoint: EndpointView) => <EndpointActions api={api} endpoint={endpoint} choices={choices} />;
  const columns: Column<EndpointView>[] = [
    { key: 'url', header: 'Endpoint', cell: (endpoint) => <Name endpoint={endpoint} pathname={pathname} /> },
    { key: 'state', header: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { key: 'events', header: 'Events', align: 'right', cell: ({ events }) => events.length },
    { key: 'answer', header: 'Last answer', cell: (endpoint) => <LastAnswer endpoint={endpoint} /> },
    { key: 'actions', header: 'Actions', headerHidden: true, align: 'right', cell: actions },
  ];
  return (
    <>
      <PageHeader
        title={webhooksTitle}
        description={
          <>
            {webhooksDescription[scope]}{' '}
            <Link href="/developers#webhooks" className="text-accent-ink underline">
              API guide
            </Link>
          </>
        }
        actions={isOn ? <AddEndpoint api={api} choices={choices} /> : null}
      />
      {isOn ? null : <Alert className="mb-6">{flags.webhooks.off}</Alert>}
      <DataTable
        caption="Webhook endpoints"
        columns={columns}
        rows={rows.map((row) => endpointView(row))}
        rowKey={({ id }) => id}
        card={(endpoint) => (
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 gap-1.5">
              <Name endpoint={endpoint} pathname={pathname} />
              <p className="flex flex-wrap items-center gap-2 text-sm">
                <EndpointState endpoint={endpoint} />
                <LastAnswer endpoint={endpoint} />
              </p>
            </div>
            {actions(endpoint)}
          </div>
        )}
        pathname={pathname}
        searchParams={{}}
        empty={
          <EmptyState icon={<Webhook />} title="No endpoints yet">
            Add the address of a program. It receives each event as a signed POST request, within seconds.
          </EmptyState>
        }
      />
    </>
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
