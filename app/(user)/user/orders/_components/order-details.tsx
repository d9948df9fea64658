import { DownloadLink } from '@/components/orders/download-link';
import { LiveLink } from '@/components/orders/live-link';
import { OrderFacts } from '@/components/orders/order-facts';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { OrderTimeline } from '@/components/orders/order-timeline';
import { RecordDialog } from '@/components/table/record-dialog';
import { ButtonLink } from '@/components/ui/button-link';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import type { Actor } from '@/lib/access/actor';
import { getTimeline } from '@/lib/orders/timeline';
import { buyerOrderView } from '@/lib/orders/views';
import { findOrder } from './find-order';
import { NoSuchOrder } from './no-such-order';

type OrderDetailsProps = {
  actor: Actor;
  /** As it stands in the address. */
  id: string;
  closeHref: string;
  /** Where its invoice is shown. */
  invoiceHref: string;
  /** Where the same is ordered once more. */
  againHref: string;
};

/** The dialog of the order that the address names. */
export async function OrderDetails({ actor, id, closeHref, invoiceHref, againHref }: OrderDetailsProps) {
  const row = await findOrder(actor, id);
  if (!row) return <NoSuchOrder key={id} closeHref={closeHref} />;
  const order = buyerOrderView(row);
  const timeline = await getTimeline(order, 'buyer');
  return (
    <RecordDialog
      key={id}
      title={
        <span className="flex items-center gap-2.5">
          Order #{order.id} <OrderStatusBadge status={order.status} />
        </span>
      }
      closeHref={closeHref}
    >
      <DialogBody className="grid gap-6">
        {order.linkUrl || order.contentPath ? (
          <section
            aria-label="Delivery"
            className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
          >
            {order.linkUrl ? (
              <p className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
                <span className="text-muted text-xs">Live link</span>
                <LiveLink url={order.linkUrl} className="justify-self-start" />
              </p>
            ) : null}
            {order.contentPath ? (
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
                  <span className="text-muted text-xs">Content</span>
                  <span className="truncate text-ink">{order.contentFileName}</span>
                </p>
                <DownloadLink href={order.contentPath} fileName={order.contentFileName} />
              </div>
            ) : null}
          </section>
        ) : null}
        {order.adminComments ? (
          <section>
            <h3 className="mb-1.5 text-ink text-sm">Comments</h3>
            <p className="whitespace-pre-wrap wrap-anywhere text-muted">{order.adminComments}</p>
          </section>
        ) : null}
        <OrderFacts order={order} />
        <section>
          <h3 className="mb-3 text-ink text-sm">Timeline</h3>
          <OrderTimeline entries={timeline} />
        </section>
      </DialogBody>
      <DialogFooter>
        <ButtonLink href={invoiceHref} scroll={false}>
          Invoice
        </ButtonLink>
        <ButtonLink href={againHref} variant="primary" scroll={false}>
          Order again
        </ButtonLink>
      </DialogFooter>
    </RecordDialog>
  );
}
