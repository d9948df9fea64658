'use client';

import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { type Answerable, RefusedOrders, useAnswerSelected } from '@/components/orders/answer-selected';
import { createRowSelection, PageCheckbox, RowCheckbox, SelectionBar } from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { maxAnswered } from '@/lib/orders/order/amounts';

/** The numbers of the orders that the buyer selected among the deliveries to review. */
const selection = createRowSelection<number>();

/** Removes an order that was answered otherwise. */
export const deselect = (id: number): void => {
  if (selection.read().includes(id)) selection.write(selection.read().filter((other) => other !== id));
};

const count = (deliveries: number) => (deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`);

export const DeliveryCheckbox = ({ id }: { id: number }) => (
  <RowCheckbox selection={selection} id={id} label={`Select order #${id}`} />
);

export const DeliveriesCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={selection} ids={ids} label="Select every order on this page" />
);

const approveButton = 'approve-selected';

/** Selects the deliveries whose newest check is in order, also those on other pages, and continues with their approval. */
export function SelectInOrder({ deliveries }: { deliveries: readonly Answerable[] }) {
  const select = () => {
    selection.write(deliveries.map(({ id }) => id));
    // The button is at the end of the list.
    requestAnimationFrame(() => document.getElementById(approveButton)?.focus({ preventScroll: true }));
  };
  return (
    <Button size="sm" disabled={deliveries.length === 0} onClick={select}>
      {deliveries.length < maxAnswered
        ? `Select all in order (${deliveries.length})`
        : `Select ${maxAnswered} in order`}
    </Button>
  );
}

type ApproveBarProps = {
  /** The deliveries of the page and those in order, with their versions. */
  deliveries: readonly Answerable[];
  /** The numbers of the orders whose newest check is in order. */
  inOrder: readonly number[];
  /** Names the list: another list begins without a selection. */
  listKey: string;
};

/** Approves the selected deliveries. Displayed at the bottom of the screen while some are selected. */
export function ApproveBar({ deliveries, inOrder, listKey }: ApproveBarProps) {
  const { selected, refused, answer } = useAnswerSelected(selection, deliveries);
  const [isAsking, setAsking] = useState(false);
  const operation = useOperation({
    fallback: () => 'The deliveries couldn’t be approved. Check your connection and try again.',
    onError: (message) => toast.error(message),
  });
  // Kept while the question closes.
  const unsure = useRef<readonly number[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection ends with its list.
  useEffect(() => () => selection.write([]), [listKey]);

  const approve = () =>
    operation.run(() =>
      answer({ path: '/api/orders/approve', summarize: (approved) => `${count(approved)} approved.` }),
    );
  const start = () => {
    unsure.current = selected.filter((id) => !inOrder.includes(id));
    if (unsure.current.length > 0) setAsking(true);
    else void approve();
  };

  if (selected.length === 0) return null;
  return (
    <SelectionBar count={count(selected.length)} onClear={() => selection.write([])}>
      <Button id={approveButton} size="sm" variant="primary" pending={operation.pending} onClick={start}>
        Approve selected
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Approve ${count(selected.length)}?`}
        description={`No check found the link in order: ${listNumbers(unsure.current)}. The sellers earn their share, and this cannot be undone.`}
        confirmLabel="Approve anyway"
        onConfirm={approve}
      />
      <RefusedOrders label="Not approved" refused={refused} />
    </SelectionBar>
  );
}

/** The numbers that the question lists. */
const maxListed = 10;
const listNumbers = (ids: readonly number[]) =>
  ids
    .slice(0, maxListed)
    .map((id) => `#${id}`)
    .join(', ') + (ids.length > maxListed ? ` and ${ids.length - maxListed} more` : '');
