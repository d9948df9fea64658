import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ChangePanel } from '@/app/(seller)/seller/orders/_components/change-panel';
import { PlacementBadge } from '@/app/(seller)/seller/orders/_components/order-cells';
import { SellerActions } from '@/app/(seller)/seller/orders/_components/seller-actions';
import { WordPressCard } from '@/app/(seller)/seller/orders/_components/wordpress-card';
import { OrderLink } from '@/components/links/order-link';
import { BriefCard } from '@/components/orders/brief-card';
import { DisputeBox } from '@/components/orders/dispute-box';
import { LiveLink } from '@/components/orders/order-links';
import { OrderOptions } from '@/components/orders/order-options';
import { OrderPage } from '@/components/orders/room/order-page';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { formerStates } from '@/lib/orders/contract';
import { disputeView, formatDisputeReason, listReasonsOf } from '@/lib/orders/disputes/contract';
import { getDispute } from '@/lib/orders/disputes/queries';
import { openRoom } from '@/lib/orders/messages/stream';
import { articleOf } from '@/lib/orders/notices/steps';
import { findByParam } from '@/lib/orders/order/queries';
import {
  getSellerOrder,
  type SellerOrderRow,
  type SellerOrderView,
  sellerOrderView,
} from '@/lib/orders/order/seller-queries';
import { sellerChangeView } from '@/lib/orders/placements/changes/contract';
import { listChanges } from '@/lib/orders/placements/changes/queries';
import { formatWorkDays, startClock } from '@/lib/orders/placements/clocks';
import { findPosting } from '@/lib/orders/posts/form';
import { getPlacementRules } from '@/lib/settings/placement-rules';

type OrderPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: OrderPageProps): Promise<Metadata> {
  return { title: `Order #${(await params).id}` };
}

/** Renders an order of the seller's site: its steps, the room, what to do until when, the brief and the facts. */
export default async function SellerOrderPage({ params }: OrderPageProps) {
  const actor = await requirePage('seller', 'seller');
  const row = await findByParam((await params).id, (id) => getSellerOrder(actor, id));
  if (!row) notFound();
  const order = sellerOrderView(row);
  const [room, dueIfAccepted, dispute, changes, posting] = await Promise.all([
    openRoom(actor, 'seller', order.id),
    formatDueIfAccepted(row),
    order.disputeId === null ? undefined : getDispute(order.disputeId),
    listChanges(order.id),
    findPosting(actor, order.id),
  ]);
  const shownChanges = changes.map(sellerChangeView);
  return (
    <OrderPage
      orderId={order.id}
      side="seller"
      badge={<PlacementBadge order={order} />}
      links={<ButtonLink href="/seller/orders">All orders</ButtonLink>}
      facts={{
        ...{ status: null, orderedAt: order.orderedAt, hasFile: false, hasLiveLink: false },
        ...{ article: articleOf(order.brief), placement: order, isSettledForSeller: order.earnsCents > 0 },
      }}
      room={room}
      next={{
        status: null,
        placement: {
          ...order,
          silenceDueAt: dispute?.silenceDueAt?.toISOString() ?? null,
          change: shownChanges[0],
        },
      }}
      actions={
        <SellerActions
          order={order}
          dueIfAccepted={dueIfAccepted}
          postUrl={posting.post?.url ?? null}
          disputeReasons={listReasonsOf('seller')}
        />
      }
    >
      {dispute ? (
        <DisputeBox
          dispute={disputeView(dispute, 'seller')}
          side="seller"
          reason={formatDisputeReason(dispute.reason)}
          payableCents={order.ripeCents ?? 0}
        />
      ) : null}
      <ChangePanel changes={shownChanges} isViewing={Boolean(actor.viewing)} />
      {formerStates.includes(order.state) ? null : (
        <OrderLink
          orderId={order.id}
          guaranteeEndsAt={order.guaranteeEndsAt ?? null}
          checkPath={`/api/seller/orders/${order.id}/repaired`}
          checkLabel="Report a repair"
        />
      )}
      {formerStates.includes(order.state) ? null : <WordPressCard posting={posting} order={order} />}
      {order.brief ? (
        <BriefCard brief={order.brief} articleHref={`/api/seller/orders/${order.id}/brief/article`} />
      ) : null}
      <OrderOptions options={order.options} />
      <Card aria-label="Facts">
        <CardHeader title="Facts" />
        <CardBody>
          <FactList facts={factsOf(order, dueIfAccepted)} />
        </CardBody>
      </Card>
    </OrderPage>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats when the delivery is due if the seller accepts now; '' for an order that is not an offer. */
async function formatDueIfAccepted({ placement, brief }: SellerOrderRow): Promise<string> {
  if (placement.state !== 'offered') return '';
  const rules = await getPlacementRules();
  const accepted = { state: 'accepted', turnaroundDays: placement.turnaroundDays } as const;
  const { deliveryDueAt } = startClock(accepted, rules, new Date(), brief?.notBefore ?? null);
  const { turnaroundDays } = placement;
  const words = formatWorkDays(turnaroundDays + rules.deliveryGraceDays, rules.dayKind);
  return deliveryDueAt ? `${day.format(deliveryDueAt)} (${words})` : '';
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Renders the time in UTC and relative to now. @param at ISO 8601 */
function At({ at }: { at: string }) {
  return (
    <>
      {exact.format(new Date(at))} UTC, <TimeAgo at={at} className="text-muted" />
    </>
  );
}

function factsOf(order: SellerOrderView, dueIfAccepted: string): Fact[] {
  const time = (name: string, at: string | null): Fact[] => (at === null ? [] : [[name, <At key={name} at={at} />]]);
  const isOpen = order.state === 'accepted' || order.state === 'in_revision';
  return [
    ['Website', <LiveLink key="website" url={order.website} />],
    ['Post type', order.postType],
    ['You earn', <Money key="earns" amountMinor={order.earnsCents} currency={order.currency} />],
    ...(order.approvedAt !== null && order.ripeCents !== undefined
      ? [['Payable', <Money key="payable" amountMinor={order.ripeCents} currency={order.currency} />] satisfies Fact]
      : []),
    ...time('Ordered', order.orderedAt),
    ...time('Answer by', order.state === 'offered' ? order.answerDueAt : null),
    ...(order.state === 'offered' ? [['Publish by, if accepted now', dueIfAccepted] satisfies Fact] : []),
    ...time('Publish by', isOpen ? order.deliveryDueAt : null),
    ...(order.extension ? [['More days', describeExtension(order.extension)] satisfies Fact] : []),
    ...(isOpen && order.releasedAt !== null
      ? [['Cancellation', 'You agreed. The buyer can cancel until you deliver.'] satisfies Fact]
      : []),
    ...(order.deliveredUrl
      ? [['Delivered', <LiveLink key="delivered" url={order.deliveredUrl} />] satisfies Fact]
      : []),
    ...(order.deliveryReason ? [['Reason of the delivery', order.deliveryReason] satisfies Fact] : []),
    ...time('Review ends', order.approveDueAt),
    ...(order.deliveredUrl && order.approvedAt === null ? [['Changes left', order.revisionsLeft] satisfies Fact] : []),
    ...time('Approved', order.approvedAt),
  ];
}

function describeExtension({ days, grantedAt, refusedAt }: NonNullable<SellerOrderView['extension']>): string {
  const asked = formatWorkDays(days, 'calendar');
  if (grantedAt !== null) return `${asked}, granted`;
  return refusedAt === null ? `${asked}, requested` : `${asked}, refused`;
}
