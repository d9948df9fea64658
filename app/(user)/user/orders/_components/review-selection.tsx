'use client';

import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import {
  createRowSelection,
  PageCheckbox,
  RowCheckbox,
  SelectionBar,
  useSelectedIds,
} from '@/components/table/row-selection';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { maxAnswered } from '@/lib/orders/order/amounts';
import type { OrderAnswer } from '@/lib/orders/order/answer-orders';

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

/** A delivery with the version of its placement that the list shows. */
export type Reviewable = { id: number; version: number };

const approveButton = 'approve-selected';

/** Selects the deliveries whose newest check is in order, also those on other pages, and continues with their approval. */
export function SelectInOrder({ deliveries }: { deliveries: readonly Reviewable[] }) {
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
  deliveries: readonly Reviewable[];
  /** The numbers of the orders whose newest check is in order. */
  inOrder: readonly number[];
  /** Names the list: another list begins without a selection. */
  listKey: string;
};

/** Approves the selected deliveries. Displayed at the bottom of the screen while some are selected. */
export function ApproveBar({ deliveries, inOrder, listKey }: ApproveBarProps) {
  const selected = useSelectedIds(selection);
  const [refused, setRefused] = useState<readonly OrderAnswer[]>([]);
  const [isAsking, setAsking] = useState(false);
  const operation = useOperation({
    fallback: () => 'The deliveries couldn’t be approved. Check your connection and try again.',
    onError: (message) => toast.error(message),
  });
  // Kept while the question closes.
  const unsure = useRef<readonly number[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection ends with its list.
  useEffect(() => () => selection.write([]), [listKey]);

  const approveSome = async (ids: readonly number[]) => {
    const versions = Object.fromEntries(
      deliveries.filter(({ id }) => ids.includes(id)).map(({ id, version }) => [id, version]),
    );
    const body = { ids, versions };
    const sent = apiFetch<{ results: OrderAnswer[] }>('/api/orders/approve', { method: 'POST', body });
    const { results } = await sent.catch(redirectIfSignedOut);
    const approved = new Set(results.flatMap(({ id, ok }) => (ok ? [id] : [])));
    setRefused((before) => [...before, ...results.filter(({ ok }) => !ok)]);
    selection.write(selection.read().filter((id) => !approved.has(id)));
    if (approved.size > 0) toast.success(`${count(approved.size)} approved.`);
  };
  const approve = async () => {
    setRefused([]);
    for (let start = 0; start < selected.length; start += maxAnswered)
      await operation.run(() => approveSome(selected.slice(start, start + maxAnswered)));
  };
  const start = () => {
    unsure.current = selected.filter((id) => !inOrder.includes(id));
    if (unsure.current.length > 0) setAsking(true);
    else void approve();
  };

  if (selected.length === 0) return null;
  const stillRefused = refused.filter(({ id }) => selected.includes(id));
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
      {stillRefused.length > 0 ? (
        <Alert tone="error" className="max-h-40 basis-full overflow-y-auto">
          <ul aria-label="Not approved" className="grid gap-1">
            {stillRefused.map(({ id, error }) => (
              <li key={id}>{error}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
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
