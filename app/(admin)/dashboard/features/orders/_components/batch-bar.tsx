'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { SelectionBar, useSelectedIds } from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { updateOrdersAction } from '@/lib/orders/actions';
import type { BatchOutcome, BatchStatus } from '@/lib/orders/order/batch';
import { orderSelection } from './list-controls';
import { findRowLink, orderRowAttribute } from './orders-table';

const count = (orders: number) => (orders === 1 ? '1 order' : `${orders} orders`);
type Asked = { status: BatchStatus; ids: readonly number[] };
type Refusals = { status: BatchStatus; refused: BatchOutcome['refused'] };

const verbs = {
  Processing: {
    label: 'Process',
    done: 'processed',
    effect: 'Pending orders become Processing, and their buyers are notified.',
  },
  Completed: {
    label: 'Complete',
    done: 'completed',
    effect:
      'Processing and Live orders with a live link become Completed. Buyers are notified when the status that they see changes.',
  },
} as const satisfies Record<BatchStatus, object>;

/** The numbers that the question lists. */
const maxListed = 20;
const listNumbers = (ids: readonly number[]) =>
  ids
    .slice(0, maxListed)
    .map((id) => `#${id}`)
    .join(', ') + (ids.length > maxListed ? ` and ${ids.length - maxListed} more` : '');

/** Finds the first order of the list that was not changed, or else the page. */
const findOtherRow = (ids: readonly number[]) =>
  [...document.querySelectorAll<HTMLElement>(`[${orderRowAttribute}]`)]
    .map((row) => Number(row.getAttribute(orderRowAttribute)))
    .filter((id) => !ids.includes(id))
    .map(findRowLink)[0] ?? document.getElementById('main');

type BatchBarProps = {
  editPrefix: string;
  /** Names the list: another list begins without a selection, so that a batch contains no order that is out of sight. */
  listKey: string;
};

/** Processes or completes the selected orders. Displayed at the bottom of the screen while orders are selected. */
export function BatchBar({ editPrefix, listKey }: BatchBarProps) {
  const router = useRouter();
  const ids = useSelectedIds(orderSelection);
  // Kept while the dialogs close.
  const [asked, setAsked] = useState<Asked>({ status: 'Processing', ids: [] });
  const [isAsking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState<Refusals>({ status: 'Processing', refused: [] });
  const [isShown, setShown] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection ends with its list.
  useEffect(() => () => orderSelection.write([]), [listKey]);

  /** @throws Error with the message that the confirmation displays */
  const apply = async () => {
    const { status } = asked;
    const { changed, unchanged, refused } = await callAction(() =>
      updateOrdersAction({ ids: [...asked.ids], status }),
    ).catch((cause: unknown) => {
      if (!(cause instanceof ApiError)) throw cause;
      // Orders before the failure were updated.
      router.refresh();
      throw new Error(
        cause.message || 'Failed to update the orders. Orders that were updated stay updated: try again.',
      );
    });
    const others = [
      unchanged.length > 0 ? `${count(unchanged.length)} needed no change` : '',
      refused.length > 0 ? `${count(refused.length)} refused` : '',
    ].filter(Boolean);
    const notify = changed.length > 0 ? toast.success : toast.info;
    notify(`${count(changed.length)} ${verbs[status].done}.`, { description: others.join('; ') || undefined });
    // The refused ones stay selected.
    orderSelection.write(refused.map(({ id }) => id));
    if (refused.length > 0) {
      setRefusals({ status, refused });
      setShown(true);
    }
    router.refresh();
  };
  const ask = (status: BatchStatus, variant?: 'primary') => (
    <Button
      size="sm"
      variant={variant}
      onClick={() => {
        setAsked({ status, ids });
        setAsking(true);
      }}
    >
      {verbs[status].label}
    </Button>
  );

  return (
    <>
      {ids.length > 0 ? (
        <SelectionBar count={count(ids.length)} onClear={() => orderSelection.write([])}>
          {ask('Processing')}
          {ask('Completed', 'primary')}
        </SelectionBar>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`${verbs[asked.status].label} ${count(asked.ids.length)}?`}
        description={`${verbs[asked.status].effect} Orders that a seller fulfills are refused.`}
        confirmLabel={verbs[asked.status].label}
        tone="primary"
        // The button is gone with the selection, and in a tab the rows of the orders are too.
        focusAfter={() => (orderSelection.read().length > 0 ? null : findOtherRow(asked.ids))}
        onConfirm={apply}
      >
        <p className="wrap-anywhere text-muted text-sm">{listNumbers(asked.ids)}</p>
      </ConfirmDialog>
      <Dialog
        open={isShown}
        onOpenChange={setShown}
        focusAfter={() => findRowLink(refusals.refused[0]?.id ?? 0)}
        title={`${count(refusals.refused.length)} could not be ${verbs[refusals.status].done}`}
        description="These orders are unchanged and stay selected."
        size="md"
      >
        <DialogBody>
          <ul aria-label="Refused orders" className="grid gap-2 text-sm">
            {refusals.refused.map(({ id, reason }) => (
              <li key={id} className="flex gap-3">
                <Link
                  prefetch={false}
                  href={editPrefix + id}
                  scroll={false}
                  aria-label={`View / Edit order #${id}`}
                  onClick={() => setShown(false)}
                  className="min-h-6 shrink-0 rounded-sm text-accent-ink hover:underline"
                >
                  #{id}
                </Link>
                <span className="wrap-anywhere min-w-0 text-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="primary">Close</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    </>
  );
}
