import { OrderFacts } from '@/components/orders/order-facts';
import { OrderTimeline } from '@/components/orders/order-timeline';
import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';
import { orderStatuses } from '@/db/schema/orders';
import { AppError } from '@/lib/errors';
import { getAnyOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
import { getTimeline } from '@/lib/orders/timeline';
import { adminOrderView } from '@/lib/orders/views';
import { OrderEditor } from './order-editor';

type DeskDialogProps = {
  /** As it stands in the address; '' for none. */
  id: string;
  closeHref: string;
};

/** The View / Edit dialog of the order that the address names. */
export async function DeskDialog({ id, closeHref }: DeskDialogProps) {
  if (id === '') return null;
  const order = await find(id);
  if (!order) {
    return (
      <RecordDialog key={id} title="Order not found" closeHref={closeHref} size="sm">
        <DialogBody>
          <Alert tone="warning">This order does not exist or was deleted.</Alert>
        </DialogBody>
      </RecordDialog>
    );
  }
  const timeline = await getTimeline(order, 'desk');
  const buyer = order.userName ? `${order.userName} (${order.userEmail})` : order.userEmail;
  return (
    <OrderEditor
      key={id}
      order={order}
      statuses={orderStatuses}
      closeHref={closeHref}
      facts={<OrderFacts order={order} extra={[['Buyer', buyer]]} />}
      timeline={<OrderTimeline entries={timeline} />}
    />
  );
}

/** @returns null for what is no order */
async function find(id: string) {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return adminOrderView(await getAnyOrder(params.data.id));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
