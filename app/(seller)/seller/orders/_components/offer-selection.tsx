'use client';

import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { useOperation } from '@/components/form/use-operation';
import { type Answerable, RefusedOrders, useAnswerSelected } from '@/components/orders/answer-selected';
import { createRowSelection, PageCheckbox, RowCheckbox, SelectionBar } from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatUrl } from '@/components/ui/format';
import { declineFields, declineReasonOf, validateDecline } from './decline-form';

/** The numbers of the offers that the seller selected. */
const selection = createRowSelection<number>();

const count = (orders: number) => (orders === 1 ? '1 order' : `${orders} orders`);

export const OfferCheckbox = ({ id }: { id: number }) => (
  <RowCheckbox selection={selection} id={id} label={`Select order #${id}`} />
);

export const OffersCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={selection} ids={ids} label="Select every order on this page" />
);

/** An offer as the list shows it. */
export type ListedOffer = Answerable & {
  website: string;
  /** When its delivery is due if it is accepted now, in ISO 8601, and in words: "Dec 3, 5 business days". */
  dueAt: string;
  due: string;
};

type OfferBarProps = {
  /** The offers of the page. */
  offers: readonly ListedOffer[];
  /** Names the list: another list begins without a selection. */
  listKey: string;
};

/** Accepts or declines the selected offers. Displayed at the bottom of the screen while some are selected. */
export function OfferBar({ offers, listKey }: OfferBarProps) {
  const { selected, refused, answer } = useAnswerSelected(selection, offers);
  const [isAsking, setAsking] = useState(false);
  const operation = useOperation({
    fallback: () => 'The orders couldn’t be answered. Check your connection and try again.',
    onError: (message) => toast.error(message),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection ends with its list.
  useEffect(() => () => selection.write([]), [listKey]);

  const chosen = offers.filter(({ id }) => selected.includes(id));

  const answerAll = (verb: 'accept' | 'decline', body: object = {}) =>
    answer({
      path: `/api/seller/orders/${verb}`,
      body,
      summarize: (done) => `${count(done)} ${verb === 'accept' ? 'accepted' : 'declined'}.`,
    });

  if (selected.length === 0) return null;
  return (
    <SelectionBar count={count(selected.length)} onClear={() => selection.write([])}>
      <FormDialog
        trigger={
          <Button size="sm" disabled={operation.pending}>
            Decline
          </Button>
        }
        title={`Decline ${count(selected.length)}?`}
        description="The buyers are refunded and see your reason. This cannot be undone."
        submitLabel={`Decline ${count(selected.length)}`}
        submit={(data) => answerAll('decline', { reason: declineReasonOf(data) })}
        validate={validateDecline}
        fields={declineFields}
      />
      <Button size="sm" variant="primary" pending={operation.pending} onClick={() => setAsking(true)}>
        Accept
      </Button>
      <p className="basis-full text-muted text-xs">If you accept now: {summarizeDue(chosen)}.</p>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Accept ${count(selected.length)}?`}
        description="You agree to publish each placement by its due day."
        confirmLabel={`Accept ${count(selected.length)}`}
        tone="primary"
        onConfirm={() => operation.run(() => answerAll('accept'))}
      >
        <ul aria-label="Due days" className="grid max-h-60 grid-cols-[minmax(0,1fr)] gap-1.5 overflow-y-auto text-sm">
          {chosen.map(({ id, website, due }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-3">
              <span className="min-w-0 truncate text-ink">
                #{id} <span className="text-muted">{formatUrl(website)}</span>
              </span>
              <span className="text-muted">due {due}</span>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
      <RefusedOrders label="Not answered" refused={refused} />
    </SelectionBar>
  );
}

/** Summarizes when the deliveries are due, the first and the last one: "due Dec 3, 5 business days". */
function summarizeDue(offers: readonly ListedOffer[]): string {
  const sorted = [...offers].sort((one, other) => Date.parse(one.dueAt) - Date.parse(other.dueAt));
  const dues = [...new Set(sorted.map(({ due }) => due))];
  const [first = '', last] = [dues[0], dues.at(-1)];
  return dues.length < 2 ? `due ${first}` : `the first is due ${first}; the last ${last}`;
}
