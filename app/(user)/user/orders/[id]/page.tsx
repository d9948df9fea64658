import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findOrder, isSiteDofollow } from '@/app/(user)/user/orders/_components/find-order';
import { againParam, listUrl } from '@/app/(user)/user/orders/_components/orders-url';
import { OrderLink } from '@/components/links/order-link';
import { DisputeBox } from '@/components/orders/dispute-box';
import { OrderBrief } from '@/components/orders/order-brief';
import { DeliveryCard, OrderFacts } from '@/components/orders/order-facts';
import { OrderPage } from '@/components/orders/room/order-page';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { LinkStanding } from '@/db/schema/links';
import { requirePage } from '@/lib/auth/page-guard';
import { describeReason } from '@/lib/links/describe-reason';
import { hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import { buyerOrderView } from '@/lib/orders/contract';
import { disputeView, formatDisputeReason, listReasonsOf } from '@/lib/orders/disputes/contract';
import { getDispute } from '@/lib/orders/disputes/queries';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { openRoom } from '@/lib/orders/messages/stream';
import { stepFactsOf } from '@/lib/orders/notices/steps';
import { isBriefEditable } from '@/lib/orders/order/write-briefs';
import { BuyerActions, type Finding } from './_components/buyer-actions';

type BuyerOrderPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: BuyerOrderPageProps): Promise<Metadata> {
  return { title: `Order #${(await params).id}` };
}

/** Renders the buyer's own order: its steps, the room, what to do next, the link with its checks, and the facts. */
export default async function BuyerOrderPage({ params }: BuyerOrderPageProps) {
  const actor = await requirePage('user', 'session');
  const row = await findOrder(actor, (await params).id);
  if (!row) notFound();
  const order = buyerOrderView(row);
  const { placement } = order;
  const [room, dispute, follow, checks] = await Promise.all([
    openRoom(actor, 'buyer', order.id),
    placement?.disputeId ? getDispute(placement.disputeId) : undefined,
    isSiteDofollow(row.siteId),
    listNewestChecks([order.id]),
  ]);
  const { verdict = null, reasons = [] } = checks.get(order.id) ?? {};
  const finding = describeFinding(verdict, reasons, hasRelConflict(order.brief?.rel ?? '', { follow }));
  return (
    <OrderPage
      orderId={order.id}
      side="buyer"
      badge={<OrderStatusBadge order={{ ...order, verdict }} side="buyer" />}
      links={
        <>
          <ButtonLink href="/user/orders">All orders</ButtonLink>
          <ButtonLink href={`/user/orders/${order.id}/invoice`}>Invoice</ButtonLink>
          <ButtonLink href={listUrl({}, { [againParam]: order.id })}>Order again</ButtonLink>
        </>
      }
      facts={stepFactsOf(order, row.status)}
      room={room}
      next={{
        status: row.status,
        placement: placement ? { ...placement, silenceDueAt: dispute?.silenceDueAt?.toISOString() ?? null } : null,
      }}
      actions={
        placement ? <BuyerActions {...{ order, placement, finding }} disputeReasons={listReasonsOf('buyer')} /> : null
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
      <DeliveryCard order={order} />
      <OrderLink
        orderId={order.id}
        guaranteeEndsAt={placement?.guaranteeEndsAt ?? null}
        checkPath={`/api/orders/${order.id}/checks`}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] rounded-lg bg-surface empty:hidden">
        <OrderBrief orderId={order.id} brief={order.brief} isEditable={isBriefEditable(order)} follow={follow} />
      </div>
      <Card aria-label="Facts">
        <CardHeader title="Facts" />
        <CardBody>
          <OrderFacts order={order} />
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

/**
 * Describes what the newest check found in place of the ordered link; null for nothing to complain about.
 * @param isRelKnown whether the buyer ordered the site although its links have another `rel`
 */
function describeFinding(
  verdict: LinkStanding | null,
  reasons: readonly string[],
  isRelKnown: boolean,
): Finding | null {
  if (verdict !== 'broken' && verdict !== 'changed') return null;
  const found = isRelKnown ? reasons.filter((reason) => reason !== 'rel_changed') : reasons;
  if (found.length === 0 && verdict === 'changed') return null;
  const text = found.map(describeReason).join(' ') || 'The check did not find the link.';
  return { text, reason: verdict === 'broken' ? 'link_missing' : (found[0] ?? '') };
}
