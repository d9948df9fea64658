'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { StaleAlert, useLeaveWarning } from '@/components/form/unsaved-changes';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { DeleteRecord } from '@/components/table/record-actions';
import { useRecordClose } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { LinkStanding } from '@/db/schema/links';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import { type AdminOrderDetails, isOver } from '@/lib/orders/contract';
import { ContentUpload, useContentUpload } from './content-upload';
import { describeMove, findObstacle, movedCents } from './describe-status-change';
import { type Neighbors, OrderNeighbors, useNeighbors } from './order-navigation';
import { findRowLink } from './orders-table';
import { DraftNotice, type OrderEdit, useOrderEdit } from './use-order-edit';

/** Loaded with an order that a seller fulfills, not with the list. */
// With the parser of number fields, which the list does not need.
const OrderFields = dynamic(retryChunk(() => import('./order-fields').then((part) => part.OrderFields)));
const PlacementSection = dynamic(retryChunk(() => import('./placement-actions').then((part) => part.PlacementSection)));

type OrderEditorProps = {
  order: AdminOrderDetails;
  /** The newest check of the link, or that it was lost. */
  verdict: LinkStanding | null;
  statuses: readonly AdminOrderDetails['status'][];
  /** The status that is selected at first. */
  wanted: AdminOrderDetails['status'];
  /** The URL of the list with the dialog closed. */
  closeHref: string;
  /** The orders before and after it in the list. */
  neighbors: Neighbors;
  /** Server-rendered. */
  facts: ReactNode;
  timeline: ReactNode;
};

/**
 * Renders the View / Edit dialog. Closing it with unsaved changes requires confirmation. Back and reload keep a draft
 * in this tab.
 */
export function OrderEditor({
  order,
  verdict,
  statuses,
  wanted,
  closeHref,
  neighbors,
  facts,
  timeline,
}: OrderEditorProps) {
  const work = useOrderEdit(order, statuses, wanted);
  const upload = useContentUpload(order.id);
  const hasFile = upload.file !== null;
  const isUnsaved = work.isDirty || hasFile;
  useLeaveWarning(isUnsaved);
  const { open, close } = useRecordClose(closeHref);
  const steps = useNeighbors(neighbors);
  /** Leaves the order, after the confirmation that unsaved changes require. */
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const leaveBy = (go: () => void) => (isUnsaved ? setLeave(() => go) : go());
  const [isConfirming, setIsConfirming] = useState(false);

  /**
   * The selected file first: without it nothing is saved, and a repeated save sends only the rest.
   * @returns why the file was not uploaded; null otherwise
   */
  const save = async (saveFields: () => Promise<void>): Promise<string | null> => {
    const failure = await upload.send();
    if (failure === null && work.isDirty) await saveFields();
    return failure;
  };
  const saveConfirmed = async () => {
    const failure = await save(work.saveConfirmed);
    // The confirmation stays open and shows the message.
    if (failure !== null) throw new Error(`Nothing was saved, because the file was not uploaded: ${failure}`);
  };
  /** What the order lacks for the chosen status, since the link or the file was removed. */
  const obstacle = findObstacle(work.base, work.edit, work.edit.status, hasFile);
  const canSave = isUnsaved && !work.theirs && obstacle === undefined;
  const submit = () => {
    if (!canSave || work.pending || upload.share !== null) return;
    if (movedCents(work.base, work.edit) > 0) setIsConfirming(true);
    else void save(work.save);
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) leaveBy(close);
      }}
      title={
        <span className="flex items-center gap-2.5">
          Order #{order.id} <OrderStatusBadge order={{ ...work.base, verdict }} side="staff" />
        </span>
      }
      size="xl"
      initialFocus={steps.arrivedAt}
      focusAfter={() => findRowLink(order.id)}
      headerActions={<OrderNeighbors steps={steps} leaveBy={leaveBy} />}
    >
      <form
        className="contents"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
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
            {work.refusal ? (
              <Alert tone="error" title="Nothing was saved.">
                {work.refusal}
              </Alert>
            ) : null}
            {work.offered && !work.theirs ? (
              <DraftNotice isOlder={work.offered.isOlder} onRestore={work.restore} onDiscard={work.dropDraft} />
            ) : null}
            <OrderFields
              base={work.base}
              edit={work.edit}
              fields={work.fields}
              statuses={statuses}
              hasFile={hasFile}
              onChange={work.change}
            />
            <ContentUpload order={order} upload={upload} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
            {order.placement && !isOver(order.placement) ? (
              <PlacementSection order={{ ...order, placement: order.placement }} isUnsaved={work.isDirty} />
            ) : null}
            <section aria-label="Details">{facts}</section>
            <section>
              <h3 className="mb-3 text-ink text-sm">Timeline</h3>
              {timeline}
            </section>
          </div>
        </DialogBody>
        <DialogFooter>
          <DeleteOrder
            order={work.base}
            onDeleted={() => {
              work.forget();
              close();
            }}
          />
          {isRejectable(work.base) ? (
            <RejectAndRefund order={work.base} disabled={work.theirs !== null} onConfirm={work.rejectAndRefund} />
          ) : null}
          <Button type="submit" variant="primary" pending={work.pending || upload.share !== null} disabled={!canSave}>
            Save changes
          </Button>
        </DialogFooter>
      </form>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        {...describeMove(work.base, work.edit)}
        onConfirm={saveConfirmed}
      />
      <ConfirmDialog
        open={leave !== null}
        onOpenChange={(next) => !next && setLeave(null)}
        title={
          work.isDirty ? `Discard your changes to order #${order.id}?` : `Leave order #${order.id} without its file?`
        }
        description={describeRemainingWork(work.isDirty, hasFile)}
        confirmLabel={work.isDirty ? 'Discard changes' : 'Leave without uploading'}
        cancelLabel="Keep editing"
        onConfirm={async () => {
          work.forget();
          leave?.();
        }}
      />
    </Dialog>
  );
}

function describeRemainingWork(isDirty: boolean, hasFile: boolean): string {
  if (!hasFile) return 'Your changes haven’t been saved.';
  return isDirty
    ? 'Your changes haven’t been saved, and the file you chose hasn’t been uploaded.'
    : 'The file you chose hasn’t been uploaded, so the buyer doesn’t have it.';
}

/**
 * Checks whether an order can be rejected. A seller who accepted an order cannot be rejected: it is canceled, taken
 * over or settled.
 */
function isRejectable({ status, placement }: AdminOrderDetails): boolean {
  return status !== 'Refunded' && (!placement || isOver(placement) || placement.state === 'offered');
}

type RejectAndRefundProps = { order: AdminOrderDetails; disabled: boolean; onConfirm: () => Promise<void> };

function RejectAndRefund({ order, disabled, onConfirm }: RejectAndRefundProps) {
  const money = formatUsd(order.netPaidCents);
  const hasPaid = order.netPaidCents > 0;
  const isOffer = order.placement?.state === 'offered';
  return (
    <ConfirmDialog
      trigger={<Button disabled={disabled}>Reject and refund</Button>}
      title={hasPaid ? `Reject order #${order.id} and refund ${money}?` : `Reject order #${order.id}?`}
      description={`${hasPaid ? `${money} is returned to the wallet of ${order.userEmail}` : `Nothing is left to return to ${order.userEmail}`}, and the order becomes Refunded. ${isOffer ? 'The offer to the seller is declined. ' : ''}Any comment you wrote is saved with it.`}
      confirmLabel="Reject and refund"
      onConfirm={onConfirm}
    />
  );
}

type DeleteOrderProps = { order: AdminOrderDetails; onDeleted: () => void };

function DeleteOrder({ order: { id, version, placement }, onDeleted }: DeleteOrderProps) {
  const isTakenOver = placement && !isOver(placement) && placement.state !== 'approved';
  const router = useRouter();
  const remove = async () => {
    try {
      await apiFetch(`/api/admin/orders/${id}?version=${version}`, { method: 'DELETE' });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // Loads the current order behind the dialog.
      if (cause.status === 409) router.refresh();
      throw new Error(cause.message || 'Failed to delete order');
    }
  };
  return (
    <DeleteRecord
      remove={remove}
      noun="order"
      name={`Order #${id}`}
      question={`Delete order #${id}? This cannot be undone.`}
      consequence={`It’s removed from every list, including the buyer’s. ${
        isTakenOver
          ? 'The seller no longer fulfills it and earns nothing, and no money returns to the buyer: cancel it first to return the money.'
          : 'No money moves: refund it first to return the money.'
      }`}
      onDeleted={onDeleted}
    />
  );
}

type StaleNoticeProps = {
  base: AdminOrderDetails;
  theirs: AdminOrderDetails;
  mine: OrderEdit;
  onUseTheirs: () => void;
  onKeepMine: () => void;
};

/** Displays the differences when another user changed the order during the edit, and lets the user choose a version. */
function StaleNotice({ base, theirs, mine, ...choices }: StaleNoticeProps) {
  const differences = [
    { name: 'Status', was: base.status, now: theirs.status, yours: mine.status },
    { name: 'Live link', was: base.linkUrl, now: theirs.linkUrl, yours: mine.linkUrl },
    { name: 'Comments', was: base.adminComments, now: theirs.adminComments, yours: mine.adminComments },
  ].filter(({ was, now, yours }) => now !== was || now !== yours);
  return (
    <StaleAlert title={`Order #${theirs.id} was changed by another user while you were editing.`} {...choices}>
      <p>Nothing was saved, and your edits are kept.</p>
      <dl className="mt-2 grid gap-1">
        {differences.map(({ name, now, yours }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="wrap-anywhere">Now: {now || 'empty'}</dd>
            {yours === now ? null : <dd className="wrap-anywhere">Yours: {yours || 'empty'}</dd>}
          </div>
        ))}
      </dl>
    </StaleAlert>
  );
}
