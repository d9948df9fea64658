import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { formatUrl } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/contract';
import { describeAddress, type StatusFacts } from '@/lib/orders/describe-status';
import { DownloadLink, LiveLink } from './order-links';

type OrderItemProps = {
  order: Pick<OrderView, 'website' | 'packageName' | 'postType' | 'quantity'>;
  /** Who fulfills the order, if the list shows it. */
  fulfilledBy?: string | null;
};

/** Renders the item of an order in two lines: the site with its post type, or the package with its quantity. */
export function OrderItem({ order, fulfilledBy = null }: OrderItemProps) {
  const { website, packageName, postType, quantity } = order;
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{website ? formatUrl(website) : packageName}</span>
      <span className="block truncate text-muted text-xs">
        {website ? postType : quantity === 1 ? 'Package' : `Package × ${quantity}`}
        {fulfilledBy ? ` · ${fulfilledBy}` : ''}
      </span>
    </span>
  );
}

/**
 * Renders the details of an order. `extra` comes first, e.g. the buyer on the admin Orders screen. The target URL is that of
 * the brief, which is checked, and only that of the project without a brief.
 */
export function OrderFacts({ order, extra = [] }: { order: OrderView; extra?: Fact[] }) {
  const facts: Fact[] = [
    ...extra,
    order.website ? ['Website', <LiveLink key="site" url={order.website} />] : ['Package', order.packageName],
    ...(order.packageDesc ? [['Includes', order.packageDesc] satisfies Fact] : []),
    order.website ? ['Post type', order.postType] : ['Quantity', order.quantity],
    [
      'Price',
      <span key="price">
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} />
        {order.currency === 'USD' ? null : (
          <span className="text-muted">
            {', charged '}
            <Money amountMinor={order.chargedCents} />
          </span>
        )}
      </span>,
    ],
    ...(order.taxCents > 0 ? taxFacts(order) : []),
    ['Project', order.projectDomain],
    ...(order.brief ? [] : [targetFact(order)]),
    ['Keywords', order.projectKeywords],
    ['Ordered', <TimeAgo key="at" at={order.createdAt} />],
  ];
  return <FactList facts={facts} />;
}

const taxFacts = ({ chargedCents, taxCents }: Pick<OrderView, 'chargedCents' | 'taxCents'>): Fact[] => [
  ['Tax', <Money key="tax" amountMinor={taxCents} />],
  ['Total', <Money key="total" amountMinor={chargedCents + taxCents} />],
];

/** Returns the page that the link leads to, which the checks look for. */
export const targetFact = ({ brief, projectTargetUrl }: Pick<OrderView, 'brief' | 'projectTargetUrl'>): Fact => [
  'Target URL',
  <LiveLink key="target" url={brief?.targetUrl ?? projectTargetUrl} />,
];

/** Shows what was delivered: the page, before and after its approval, and the file. Nothing before a delivery. */
export function DeliveryCard({ order }: { order: OrderView & Pick<StatusFacts, 'verdict'> }) {
  const { linkUrl, contentPath, contentFileName, placement } = order;
  const deliveredUrl = linkUrl ? null : (placement?.deliveredUrl ?? null);
  if (!linkUrl && !deliveredUrl && !contentPath) return null;
  return (
    <Card aria-label="Delivery">
      <CardHeader title="Delivery" />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {linkUrl ? <DeliveredLink label={describeAddress(order)} url={linkUrl} /> : null}
        {deliveredUrl ? <DeliveredLink label="Delivered page" url={deliveredUrl} /> : null}
        {placement?.deliveryReason ? (
          <p className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            <span className="text-muted text-xs">Reason of the delivery, with a link that was not in order</span>
            <span className="wrap-anywhere text-ink">{placement.deliveryReason}</span>
          </p>
        ) : null}
        {contentPath ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
              <span className="text-muted text-xs">Content</span>
              <span className="truncate text-ink">{contentFileName}</span>
            </p>
            <DownloadLink href={contentPath} fileName={contentFileName} />
          </div>
        ) : null}
      </CardBody>
    </Card>
  );
}

function DeliveredLink({ label, url }: { label: string; url: string }) {
  return (
    <p className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <span className="text-muted text-xs">{label}</span>
      <LiveLink url={url} className="justify-self-start" />
    </p>
  );
}
