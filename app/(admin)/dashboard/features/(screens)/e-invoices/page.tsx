import { DeliveryState, deliveryStates } from '@/components/invoices/delivery-state';
import { DocumentOrder } from '@/components/orders/order-links';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { IgnoredValues } from '@/components/table/ignored-values';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { deliveryChannels, invoiceDeliveryStates } from '@/db/enums';
import { requirePage } from '@/lib/auth/page-guard';
import { channelNames } from '@/lib/invoices/delivery/channel-names';
import {
  type DeliveryEntry,
  deliveriesQuery,
  listInvoiceDeliveries,
  undeliveredDays,
} from '@/lib/invoices/delivery/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { SendAgain } from './_components/send-again';
import { DeliveryTabs, deliveriesPath } from './_components/tabs';

const texts = screenTexts(deliveriesPath);

export const metadata = { title: texts.title };

const columns: Column<DeliveryEntry>[] = [
  { header: 'Document', phone: 'title', className: 'whitespace-nowrap', cell: (row) => <DocumentName row={row} /> },
  { header: 'Channel', cell: ({ channel }) => channelNames[channel] },
  { header: 'State', phone: 'end', cell: ({ state }) => <DeliveryState state={state} /> },
  { header: 'Reason', phone: 'line', className: 'w-full max-w-0 min-w-48', cell: (row) => <Reason row={row} /> },
  { header: 'Attempts', phone: 'labeled', align: 'right', cell: ({ attempts }) => attempts },
  { header: 'Changed', className: 'whitespace-nowrap', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
  actionsColumn((row) => <Action row={row} />),
];

export default async function DeliveriesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { filter, ignored } = parseFilters(deliveriesQuery, readFilters(params, ['state', 'channel']));
  const found = await listInvoiceDeliveries(filter, page.request);
  return (
    <RecordList
      {...texts}
      {...found}
      {...{ columns, page, filter }}
      caption="Deliveries of documents"
      rowKey={({ id }) => id}
      pathname={deliveriesPath}
      searchParams={params}
      filters={[
        {
          param: 'state',
          label: 'State',
          allLabel: 'All states',
          options: [
            { value: 'undelivered', label: `Not delivered, last ${undeliveredDays} days` },
            ...invoiceDeliveryStates.map((value) => ({ value, label: deliveryStates[value].name })),
          ],
        },
        {
          param: 'channel',
          label: 'Channel',
          allLabel: 'All channels',
          options: deliveryChannels.map((value) => ({ value, label: channelNames[value] })),
        },
      ]}
      note={<IgnoredValues names={ignored} />}
      records="deliveries"
      empty={{
        icon: <Icon name="send" />,
        title: 'No deliveries yet',
        children:
          'Set the provider of Peppol or KSeF. Documents that are issued from then on are sent to businesses that the network serves.',
      }}
    >
      <DeliveryTabs actor={actor} current="deliveries" />
    </RecordList>
  );
}

type RowProps = { row: DeliveryEntry };

function DocumentName({ row }: RowProps) {
  return (
    <span className="grid">
      <span className="text-ink">{row.document}</span>
      <DocumentOrder {...row} />
    </span>
  );
}

/** Shows why a document is not delivered, and when it is tried again. */
function Reason({ row: { lastError, nextAttemptAt, state, providerId } }: RowProps) {
  return (
    <span className="grid gap-0.5">
      {lastError ? <span className="wrap-anywhere">{lastError}</span> : null}
      {state === 'waiting' && nextAttemptAt ? (
        <span className="text-muted text-xs">
          Next attempt <TimeAgo at={nextAttemptAt} />
        </span>
      ) : null}
      {providerId ? <span className="wrap-anywhere text-muted text-xs">Provider’s ID: {providerId}</span> : null}
    </span>
  );
}

const repeatable: readonly DeliveryEntry['state'][] = ['rejected', 'incomplete', 'failed'];

function Action({ row: { id, document, state } }: RowProps) {
  return repeatable.includes(state) ? <SendAgain id={id} document={document} /> : null;
}
