import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DecideDispute } from '@/app/(admin)/dashboard/features/orders/_components/decide-dispute';
import { PlacementActions } from '@/app/(admin)/dashboard/features/orders/_components/placement-actions';
import { DocumentsCard } from '@/components/invoices/documents-card';
import { OrderLink } from '@/components/links/order-link';
import { StaffNotes } from '@/components/notes/staff-notes';
import { BriefCard } from '@/components/orders/brief-card';
import { ChangeCard } from '@/components/orders/change-card';
import { type Due, DueLine, describeDue } from '@/components/orders/due-note';
import { DeliveryCard, OrderFacts } from '@/components/orders/order-facts';
import { LiveLink } from '@/components/orders/order-links';
import { OrderOptions } from '@/components/orders/order-options';
import { OrderPage } from '@/components/orders/room/order-page';
import { ContactDataBadge, DisputeStateBadge, OrderStatusBadge } from '@/components/orders/state-badges';
import { withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { hasContactNotes } from '@/lib/orders/briefs/schemas';
import { type AdminOrderRow, adminOrderView } from '@/lib/orders/contract';
import { type DisputeRow, formatDisputeReason } from '@/lib/orders/disputes/contract';
import { findDisputeOf } from '@/lib/orders/disputes/queries';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { openRoom } from '@/lib/orders/messages/stream';
import { stepFactsOf } from '@/lib/orders/notices/steps';
import { findByParam, getAdminOrder } from '@/lib/orders/order/queries';
import { changeView } from '@/lib/orders/placements/changes/contract';
import { listChanges, viewChanges } from '@/lib/orders/placements/changes/queries';

const list = '/dashboard/features/orders';

type OrderPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: OrderPageProps): Promise<Metadata> {
  return { title: `Order #${(await params).id}` };
}

/** Renders the page of an order for staff: its steps, the room, and everything that a decision about it requires. */
export default async function AdminOrderPage({ params }: OrderPageProps) {
  const actor = await requirePage('admin', 'ManageOrders');
  const row = await findByParam((await params).id, getAdminOrder);
  if (!row) notFound();
  const order = adminOrderView(row);
  const [room, dispute, verdicts, changes] = await Promise.all([
    openRoom(actor, 'staff', order.id),
    findDisputeOf(order.id),
    listLinkStandings([order.id]),
    listChanges(order.id),
  ]);
  const verdict = verdicts.get(order.id) ?? null;
  const { placement = null } = order;
  const showsMargin = hasPermission(actor, 'ManageWallets');
  const views = await viewChanges(changes);
  const shownChanges = changes.map((change, index) => ({
    ...(views[index] ?? changeView(change)),
    price: [
      { label: 'Price', cents: change.sellerCents + change.marginCents },
      { label: 'Seller earns', cents: change.sellerCents },
      ...(showsMargin ? [{ label: 'Margin', cents: change.marginCents }] : []),
    ],
  }));
  const silenceDueAt = dispute?.silenceDueAt?.toISOString() ?? null;
  const buyer = order.userName ? `${order.userName} (${order.userEmail})` : order.userEmail;
  return (
    <OrderPage
      orderId={order.id}
      side="staff"
      badge={<OrderStatusBadge order={{ ...order, verdict }} side="staff" />}
      links={
        <>
          <ButtonLink href={list}>All orders</ButtonLink>
          <ButtonLink href={withParams(list, {}, { order: order.id })}>Edit order</ButtonLink>
        </>
      }
      facts={stepFactsOf(order, order.status)}
      room={room}
      next={{
        status: order.status,
        placement: placement && { ...placement, silenceDueAt, change: shownChanges[0] },
        verdict,
      }}
      actions={placement ? <PlacementActions order={{ ...order, placement }} /> : null}
    >
      {dispute ? <DisputeCard dispute={dispute} row={row} showsMargin={showsMargin} /> : null}
      {row.placement && placement ? (
        <PlacementCard
          row={row}
          placement={row.placement}
          due={describeDue(placement, 'staff')}
          showsMargin={showsMargin}
        />
      ) : null}
      {shownChanges.length > 0 ? <ChangeCard changes={shownChanges} /> : null}
      <StaffNotes actor={actor} subject={{ kind: 'order', id: order.id }} />
      <DeliveryCard order={{ ...order, verdict }} />
      <OrderLink
        orderId={order.id}
        guaranteeEndsAt={placement?.guaranteeEndsAt ?? null}
        checkPath={`/api/admin/orders/${order.id}/checks`}
      />
      {order.brief ? (
        <BriefCard
          brief={order.brief}
          articleHref={`/api/admin/orders/${order.id}/brief/article`}
          actions={hasContactNotes(order, order.brief) ? <ContactDataBadge /> : null}
        />
      ) : null}
      <OrderOptions options={order.options} />
      <DocumentsCard orderId={order.id} />
      <Card aria-labelledby="details-heading">
        <CardHeader title={<span id="details-heading">Details</span>} />
        <CardBody>
          <OrderFacts order={order} extra={[['Buyer', buyer]]} />
        </CardBody>
      </Card>
    </OrderPage>
  );
}

type PlacementCardProps = {
  row: AdminOrderRow;
  placement: NonNullable<AdminOrderRow['placement']>;
  /** What is due next; null for nothing. */
  due: Due | null;
  /** Whether the user may see the platform's own part. */
  showsMargin: boolean;
};

/** Shows the seller, the delivery and the division of the charge. */
function PlacementCard({ row, placement, due, showsMargin }: PlacementCardProps) {
  const { sellerCents, marginCents, sellerReturnedCents, marginReturnedCents, deliveredUrl } = placement;
  const returnedCents = sellerReturnedCents + marginReturnedCents;
  const seller = row.sellerName ? `${row.sellerName} (${row.sellerEmail})` : row.sellerEmail;
  const isTakenOver = placement.state === 'taken_over';
  const facts: Fact[] = [
    ['Fulfilled by', isTakenOver ? 'Staff' : seller],
    ...(due ? [['Due', <DueLine key="due" due={due} />] satisfies Fact] : []),
    ...(deliveredUrl ? [['Delivery', <LiveLink key="delivery" url={deliveredUrl} />] satisfies Fact] : []),
    ['Charged', <Money key="charged" amountMinor={row.chargedCents} />],
    ['Seller earns', <Money key="seller" amountMinor={isTakenOver ? 0 : sellerCents - sellerReturnedCents} />],
    ...(placement.approvedAt
      ? [['Payable', <Money key="payable" amountMinor={placement.ripenedCents} />] satisfies Fact]
      : []),
    ...(showsMargin
      ? [
          [
            'Margin',
            <Money
              key="margin"
              amountMinor={isTakenOver ? sellerCents + marginCents : marginCents - marginReturnedCents}
            />,
          ] satisfies Fact,
        ]
      : []),
    ...(returnedCents > 0 ? [['Returned', <Money key="returned" amountMinor={returnedCents} />] satisfies Fact] : []),
  ];
  return (
    <Card aria-labelledby="placement-heading">
      <CardHeader title={<span id="placement-heading">Placement</span>} />
      <CardBody>
        <FactList facts={facts} />
      </CardBody>
    </Card>
  );
}

/** Shows the newest dispute of the order: what it is about, the proposals and how it ended. */
function DisputeCard({
  dispute,
  row,
  showsMargin,
}: Pick<PlacementCardProps, 'row' | 'showsMargin'> & { dispute: DisputeRow }) {
  const { id, orderId, version, state, proposals, silenceDueAt, buyerPercent, note, decidedAt } = dispute;
  const shares = row.placement && {
    sellerCents: row.placement.sellerCents,
    marginCents: row.placement.marginCents,
    ripenedCents: row.placement.ripenedCents,
  };
  return (
    <Card aria-labelledby="dispute-heading">
      <CardHeader
        title={
          <span id="dispute-heading" className="flex items-center gap-2.5">
            Dispute <DisputeStateBadge state={state} />
          </span>
        }
        description={
          <>
            Opened by the {dispute.role} <TimeAgo at={dispute.createdAt} />.
          </>
        }
        actions={
          state === 'open' && shares ? (
            <DecideDispute dispute={{ id, orderId, version }} {...{ shares, showsMargin }} isTaxed={row.taxCents > 0} />
          ) : null
        }
      />
      <CardBody className="grid gap-4 text-sm">
        <div>
          <p className="font-medium text-ink">{formatDisputeReason(dispute.reason)}</p>
          {dispute.text ? <p className="wrap-anywhere mt-1 whitespace-pre-line text-muted">{dispute.text}</p> : null}
        </div>
        {proposals.length === 0 ? (
          <p className="text-muted">Neither side has made a proposal.</p>
        ) : (
          <ol aria-label="Proposals" className="grid gap-1.5">
            {proposals.map(({ number, role, buyerPercent: percent, createdAt, acceptedAt }) => (
              <li key={number} className="text-muted">
                The {role} proposed that <span className="text-ink">{percent}%</span> returns to the buyer,{' '}
                <TimeAgo at={createdAt} />
                {acceptedAt ? ' (accepted)' : ''}
              </li>
            ))}
          </ol>
        )}
        {silenceDueAt ? (
          <p className="text-muted">
            The newest proposal counts as accepted <TimeAgo at={silenceDueAt} />, unless the other side answers.
          </p>
        ) : null}
        {state === 'settled' && decidedAt ? (
          <div>
            <p className="text-ink">
              Settled <TimeAgo at={decidedAt} />: {buyerPercent}% returned to the buyer.
            </p>
            {note ? <p className="wrap-anywhere mt-1 whitespace-pre-line text-muted">{note}</p> : null}
          </div>
        ) : null}
      </CardBody>
    </Card>
  );
}
