import { Download, ListPlus, Plus, ReceiptText } from 'lucide-react';
import type { Metadata } from 'next';
import { DialogOpener } from '@/app/(user)/user/orders/_components/dialog-opener';
import { OpenDialog } from '@/app/(user)/user/orders/_components/open-dialog';
import { invoiceParam, listUrl, newParam, ordersPagePath } from '@/app/(user)/user/orders/_components/orders-url';
import { WaitingNote } from '@/components/orders/due-note';
import { OrderItem } from '@/components/orders/order-facts';
import { LiveLink } from '@/components/orders/order-links';
import { type CheckedOrder, dueStatusColumn, OrderCard, orderColumns } from '@/components/orders/order-list';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { requirePage } from '@/lib/auth/page-guard';
import { buyerOrderView, buyerStatuses, listStatusesShownAs, type OrderView } from '@/lib/orders/contract';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { countUnreadMessages } from '@/lib/orders/messages/room';
import { listOrderedProjects, listOrders } from '@/lib/orders/order/queries';
import { isFlagOn } from '@/lib/settings/feature-flags';

const texts = screenTexts(ordersPagePath);

export const metadata: Metadata = { title: texts.title };

/** Two filters share a row on phones. */
const className = 'w-[calc(50%-0.25rem)] sm:w-44';

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  const address = await searchParams;
  // The site picker uses filter parameters of the same names, so the list behind it ignores them.
  const params = oneParam(address, newParam) === 'custom' ? {} : address;
  const page = readIdPageParams(params);
  const { q, status, project, waiting } = readFilters(params, ['q', 'status', 'project', 'waiting']);
  const statuses = listStatusesShownAs(status ?? '');
  const isWaiting = waiting === '1';
  const filter = { q, statuses, projectId: project?.slice(0, 64), isWaiting };
  const [{ rows, ...counted }, projects] = await Promise.all([
    listOrders(actor, { ...filter, ...page.request }),
    listOrderedProjects(actor),
  ]);
  const ids = rows.map(({ id }) => id);
  const [unread, verdicts] = await Promise.all([countUnreadMessages(actor.userId, ids), listLinkStandings(ids)]);
  const listed = rows.map((row) => ({
    ...buyerOrderView(row),
    unread: unread.get(row.id) ?? 0,
    verdict: verdicts.get(row.id) ?? null,
  }));
  const isFiltered = Object.values(filter).some(Boolean);
  const hrefs: OrderHrefs = (id) => ({
    detailsHref: listUrl(params, { order: id }),
    invoiceHref: listUrl(params, { [invoiceParam]: id }),
  });

  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ page, filter }}
        actions={<NewOrderButtons packageHref={listUrl(params, { [newParam]: 'package' })} />}
        pathname={ordersPagePath}
        searchParams={params}
        filters={
          projects.length > 0 || isFiltered
            ? [
                { placeholder: 'Search number, website, project…', label: 'Search orders' },
                { param: 'status', label: 'Status', allLabel: 'All statuses', options: buyerStatuses, className },
                {
                  param: 'project',
                  label: 'Project',
                  allLabel: 'All projects',
                  options: projectOptions(projects),
                  className,
                },
                {
                  param: 'waiting',
                  label: 'Show',
                  allLabel: 'All orders',
                  options: [{ value: '1', label: 'Waiting for you' }],
                  className,
                },
              ]
            : []
        }
        clearHref={withParams(ordersPagePath, {}, { rows: oneParam(params, 'rows') })}
        caption="My orders"
        columns={buyerColumns(hrefs)}
        rows={listed}
        rowKey={(order) => String(order.id)}
        card={(order) => (
          <OrderCard
            order={order}
            fulfilledBy={getFulfiller(order)}
            waiting={<WaitingNote order={order} unread={order.unread} />}
            actions={<OrderActions order={order} {...hrefs(order.id)} />}
          />
        )}
        isSelected={(order) => String(order.id) === oneParam(params, 'order')}
        wide="90rem"
        records="orders"
        noMatch={isWaiting ? 'Nothing waits for you here.' : 'Try another search, status or project.'}
        empty={{
          icon: <ReceiptText />,
          title: 'No orders yet',
          action: <ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>,
          children:
            'Order a package or choose sites for a project, pay from your wallet, and track each placement here.',
        }}
      />
      <OpenDialog actor={actor} params={address} />
    </>
  );
}

/** Builds the options of the project filter. Projects with the same domain get a number. */
function projectOptions(projects: readonly { id: string; domain: string }[]): { value: string; label: string }[] {
  const seen = new Map<string, number>();
  return projects.map(({ id, domain }) => {
    const number = (seen.get(domain) ?? 0) + 1;
    seen.set(domain, number);
    return { value: id, label: number === 1 ? domain : `${domain} (${number})` };
  });
}

type ListedOrder = CheckedOrder & {
  /** The number of unread messages. */
  unread: number;
};

const getFulfiller = ({ placement }: OrderView): string =>
  placement && placement.state !== 'taken_over' ? 'Publisher' : 'Our team';

/** Returns the URLs that open an order's details and its invoice. */
type OrderHrefs = (id: number) => { detailsHref: string; invoiceHref: string };

function buyerColumns(hrefs: OrderHrefs): Column<ListedOrder>[] {
  return [
    orderColumns.id,
    {
      ...orderColumns.item,
      cell: (order) => <OrderItem order={order} fulfilledBy={getFulfiller(order)} />,
      className: 'w-[28%] min-w-36 max-w-0',
    },
    { ...orderColumns.project, className: 'w-[20%] min-w-28 max-w-0' },
    orderColumns.charged,
    {
      ...dueStatusColumn,
      cell: (order) => (
        <>
          {dueStatusColumn.cell(order)}
          <WaitingNote order={order} unread={order.unread} />
        </>
      ),
    },
    {
      key: 'link',
      header: 'Live link',
      cell: ({ linkUrl }) => (linkUrl ? <LiveLink url={linkUrl} /> : <span className="text-subtle">Not yet</span>),
      className: 'w-[26%] min-w-36 max-w-0',
    },
    actionsColumn((order) => <OrderActions order={order} {...hrefs(order.id)} />),
  ];
}

/** Renders the two buttons for a new order. Omits a disabled feature. */
async function NewOrderButtons({ packageHref }: { packageHref: string }) {
  const [hasSites, hasPackages] = await Promise.all([isFlagOn('marketplace'), isFlagOn('packages')]);
  return (
    <>
      {hasSites ? (
        <DialogOpener href={`${ordersPagePath}?${newParam}=custom`} icon={<ListPlus className="size-4" />}>
          Build Custom
        </DialogOpener>
      ) : null}
      {hasPackages ? (
        <DialogOpener href={packageHref} variant="primary" icon={<Plus className="size-4" />}>
          New Order
        </DialogOpener>
      ) : null}
    </>
  );
}

type OrderActionsProps = { order: OrderView; detailsHref: string; invoiceHref: string };

/** Renders the buyer's actions for an order: its room, its details, its invoice and, once delivered, its file. */
function OrderActions({ order: { id, contentPath }, detailsHref, invoiceHref }: OrderActionsProps) {
  return (
    <span className="inline-flex justify-end gap-1 max-md:flex-wrap">
      <ButtonLink href={`/user/orders/${id}`} size="sm" aria-label={`Open order #${id}`}>
        Open
      </ButtonLink>
      <ButtonLink href={detailsHref} scroll={false} size="sm" variant="ghost" aria-label={`Details of order #${id}`}>
        Details
      </ButtonLink>
      <ButtonLink href={invoiceHref} scroll={false} size="sm" variant="ghost" aria-label={`Invoice of order #${id}`}>
        Invoice
      </ButtonLink>
      {contentPath ? (
        <a
          href={contentPath}
          download=""
          aria-label={`Download the content of order #${id}`}
          data-tooltip="Download content"
          className={buttonClass({ size: 'sm', variant: 'ghost', square: true })}
        >
          <Download className="size-4" />
        </a>
      ) : null}
    </span>
  );
}
