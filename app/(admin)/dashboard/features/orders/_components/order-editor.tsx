'use client';

import { type ReactNode, useState } from 'react';
import { useLeaveWarning } from '@/components/form/use-leave-warning';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { useRecordClose } from '@/components/table/record-dialog';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import type { AdminOrderView } from '@/lib/orders/views';
import { ContentUpload } from './content-upload';
import { DeleteOrder } from './delete-order';
import { DraftNotice } from './draft-notice';
import { OrderFields } from './order-fields';
import { RejectAndRefund } from './reject-and-refund';
import { StaleNotice } from './stale-notice';
import { useOrderEdit } from './use-order-edit';

type OrderEditorProps = {
  order: AdminOrderView;
  statuses: readonly AdminOrderView['status'][];
  /** The list's address without the order. */
  closeHref: string;
  /** Rendered on the server. */
  facts: ReactNode;
  timeline: ReactNode;
};

/** The View / Edit dialog. Closing with unsaved changes asks first; Back and a reload keep them for this tab. */
export function OrderEditor({ order, statuses, closeHref, facts, timeline }: OrderEditorProps) {
  const work = useOrderEdit(order, statuses);
  const [hasFile, setHasFile] = useState(false);
  const isUnsaved = work.isDirty || hasFile;
  useLeaveWarning(isUnsaved);
  const { open, close } = useRecordClose(closeHref);
  const [isLeaving, setIsLeaving] = useState(false);

  const leave = () => {
    work.forget();
    close();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (next) return;
        if (isUnsaved) setIsLeaving(true);
        else close();
      }}
      title={
        <span className="flex items-center gap-2.5">
          Order #{order.id} <OrderStatusBadge status={work.base.status} />
        </span>
      }
      size="xl"
    >
      <form
        className="contents"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void work.save();
        }}
      >
        <DialogBody className="grid content-start gap-x-8 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
            {work.theirs ? (
              <StaleNotice
                base={work.base}
                theirs={work.theirs}
                mine={work.edit}
                onUseTheirs={work.takeTheirs}
                onKeepMine={work.keepMine}
              />
            ) : null}
            {work.offered && !work.theirs ? (
              <DraftNotice isOlder={work.offered.isOlder} onRestore={work.restore} onDiscard={work.dropDraft} />
            ) : null}
            <OrderFields
              base={work.base}
              edit={work.edit}
              fields={work.fields}
              statuses={statuses}
              onChange={work.change}
            />
            <ContentUpload order={order} onWaiting={setHasFile} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
            <section aria-label="Details">{facts}</section>
            <section>
              <h3 className="mb-3 text-ink text-sm">Timeline</h3>
              {timeline}
            </section>
          </div>
        </DialogBody>
        <DialogFooter>
          <DeleteOrder order={work.base} onDeleted={leave} />
          {work.base.status === 'Refunded' ? null : (
            <RejectAndRefund order={work.base} disabled={work.theirs !== null} onConfirm={work.rejectAndRefund} />
          )}
          <Button
            type="submit"
            variant="primary"
            pending={work.pending}
            disabled={!work.isDirty || work.theirs !== null}
          >
            Save changes
          </Button>
        </DialogFooter>
      </form>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title={
          work.isDirty ? `Discard your changes to order #${order.id}?` : `Leave order #${order.id} without its file?`
        }
        description={whatIsLeft(work.isDirty, hasFile)}
        confirmLabel={work.isDirty ? 'Discard changes' : 'Leave without it'}
        cancelLabel="Keep editing"
        onConfirm={async () => leave()}
      />
    </Dialog>
  );
}

function whatIsLeft(isDirty: boolean, hasFile: boolean): string {
  if (!hasFile) return 'They are not saved yet.';
  return isDirty
    ? 'They are not saved yet, and the file you chose is not uploaded.'
    : 'The file you chose is not uploaded yet; the buyer does not have it.';
}
