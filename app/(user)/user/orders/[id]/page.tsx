import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { BuyerActions } from '@/app/(user)/user/orders/_components/buyer-actions';
import { ChangePanel } from '@/app/(user)/user/orders/_components/change-panel';
import { ExtendGuarantee } from '@/app/(user)/user/orders/_components/extend-guarantee';
import { findOrder, isSiteDofollow } from '@/app/(user)/user/orders/_components/find-order';
import { againParam, listUrl } from '@/app/(user)/user/orders/_components/orders-url';
import { OrderLink } from '@/components/links/order-link';
import { DeliveryNote } from '@/components/orders/delivery-note';
import { DisputeBox } from '@/components/orders/dispute-box';
import { OrderBrief } from '@/components/orders/order-brief';
import { DeliveryCard, OrderFacts } from '@/components/orders/order-facts';
import { OrderOptions } from '@/components/orders/order-options';
import { OrderPage } from '@/components/orders/room/order-page';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, type Fact } from '@/components/ui/card';
import { requirePage } from '@/lib/auth/page-guard';
import { readsDocumentsOf } from '@/lib/invoices/document-scope';
import { buyerOrderView } from '@/lib/orders/contract';
import { describeFinding } from '@/lib/orders/describe-finding';
import { disputeView, formatDisputeReason, listReasonsOf } from '@/lib/orders/disputes/contract';
import { getDispute } from '@/lib/orders/disputes/queries';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { openRoom } from '@/lib/orders/messages/stream';
import { stepFactsOf } from '@/lib/orders/notices/steps';
import { listOrderers } from '@/lib/orders/order/orderers';
import { isBriefEditable } from '@/lib/orders/order/write-briefs';
import { listChanges, offerChange, viewChanges } from '@/lib/orders/placements/changes/queries';
import { formatWorkDays } from '@/lib/orders/placements/clocks';
import { listExtensions } from '@/lib/orders/placements/extend-guarantee';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { getPageTax } from '@/lib/tax/buyer-tax';

type BuyerOrderPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: BuyerOrderPageProps): Promise<Metadata> {
  return { title: `Order #${(await params).id}` };
}

/** Renders the buyer's own order: its steps, the room, what to do next, the link with its checks, and the facts. */
export default async function BuyerOrderPage({ params }: BuyerOrderPageProps) {
  const actor = await requirePage('user', 'account:orders');
  const row = await findOrder(actor, (await params).id);
  if (!row) notFound();
  const order = buyerOrderView(row);
  const { placement } = order;
  const [room, dispute, follow, checks, changes, offer, extensions, { deliveryGraceDays, dayKind }, tax, orderers] =
    await Promise.all([
      openRoom(actor, 'buyer', order.id),
      placement?.disputeId ? getDispute(placement.disputeId) : undefined,
      isSiteDofollow(row.siteId),
      listNewestChecks([order.id]),
      listChanges(order.id),
      offerChange(row),
      actor.viewing ? [] : listExtensions(row),
      getPlacementRules(),
      getPageTax(actor.accountId, actor.accountRole),
      listOrderers(actor, [row]),
    ]);
  const check = checks.get(order.id);
  const shownChanges = await viewChanges(changes);
  const verdict = check?.verdict ?? null;
  const finding = describeFinding(check, order, { follow });
  const orderer = orderers.get(order.id);
  const orderedBy: Fact[] = orderer === undefined ? [] : [['Ordered by', orderer]];
  const publication: Fact[] =
    row.placement?.state === 'offered'
      ? [
          [
            'Time to publish',
            `${formatWorkDays(row.placement.turnaroundDays + deliveryGraceDays, dayKind)} from the acceptance`,
          ],
        ]
      : [];
  const note =
    placement?.state === 'delivered' ? <DeliveryNote check={check} reason={placement.deliveryReason} /> : null;
  return (
    <OrderPage
      orderId={order.id}
      side="buyer"
      badge={<OrderStatusBadge order={{ ...order, verdict }} side="buyer" />}
      links={
        <>
          <ButtonLink href="/user/orders">All orders</ButtonLink>
          {readsDocumentsOf(actor, row) ? (
            <ButtonLink href={`/user/orders/${order.id}/invoice`}>Invoice</ButtonLink>
          ) : null}
          <ButtonLink href={listUrl({}, { [againParam]: order.id })}>Order again</ButtonLink>
        </>
      }
      facts={stepFactsOf(order, row.status)}
      room={room}
      next={{
        status: row.status,
        verdict,
        placement: placement && {
          ...placement,
          silenceDueAt: dispute?.silenceDueAt?.toISOString() ?? null,
          change: shownChanges[0],
        },
      }}
      actions={
        placement && !actor.viewing ? (
          <>
            {note}
            <BuyerActions {...{ order, placement, finding }} disputeReasons={listReasonsOf('buyer')} />
          </>
        ) : (
          note
        )
      }
    >
      {dispute ? (
        <DisputeBox
          dispute={disputeView(dispute, 'buyer')}
          side="buyer"
          reason={formatDisputeReason(dispute.reason)}
          isApproved={(placement?.approvedAt ?? null) !== null}
        />
      ) : null}
      <DeliveryCard order={{ ...order, verdict }} />
      <ChangePanel
        orderId={order.id}
        changes={shownChanges}
        priceCents={offer.priceCents}
        tax={tax}
        isViewing={Boolean(actor.viewing)}
      />
      <OrderLink
        orderId={order.id}
        guaranteeEndsAt={placement?.guaranteeEndsAt ?? null}
        checkPath={`/api/orders/${order.id}/checks`}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] rounded-lg bg-surface empty:hidden">
        <OrderBrief orderId={order.id} brief={order.brief} isEditable={isBriefEditable(order)} follow={follow} />
      </div>
      <OrderOptions options={order.options} />
      {placement?.guaranteeEndsAt && extensions.length > 0 ? (
        <ExtendGuarantee
          orderId={order.id}
          placement={{ version: placement.version, guaranteeEndsAt: placement.guaranteeEndsAt }}
          extensions={extensions}
          tax={tax}
        />
      ) : null}
      <Card aria-label="Facts">
        <CardHeader title="Facts" />
        <CardBody>
          <OrderFacts order={order} extra={[...orderedBy, ...publication]} />
        </CardBody>
      </Card>
      {order.adminComments ? (
        <Card aria-label="Comments">
          <CardHeader title="Comments" />
          <CardBody>
            <p className="whitespace-pre-wrap wrap-anywhere text-muted text-sm">{order.adminComments}</p>
          </CardBody>
        </Card>
      ) : null}
    </OrderPage>
  );
}
