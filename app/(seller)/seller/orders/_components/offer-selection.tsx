'use client';

import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
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
import { formatUrl } from '@/components/ui/format';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { maxAnswered } from '@/lib/orders/order/amounts';
import type { OrderAnswer } from '@/lib/orders/order/answer-orders';
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
export type ListedOffer = {
  id: number;
  /** The version of its placement. */
  version: number;
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
  const selected = useSelectedIds(selection);
  const [refused, setRefused] = useState<readonly OrderAnswer[]>([]);
  const [isAsking, setAsking] = useState(false);
  const operation = useOperation({
    fallback: () => 'The orders couldn’t be answered. Check your connection and try again.',
    onError: (message) => toast.error(message),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection ends with its list.
  useEffect(() => () => selection.write([]), [listKey]);

  const chosen = offers.filter(({ id }) => selected.includes(id));

  const answerSome = async (verb: 'accept' | 'decline', ids: readonly number[], body: object) => {
    const versions = Object.fromEntries(
      offers.filter(({ id }) => ids.includes(id)).map(({ id, version }) => [id, version]),
    );
    const { results } = await apiFetch<{ results: OrderAnswer[] }>(`/api/seller/orders/${verb}`, {
      method: 'POST',
      body: { ids, versions, ...body },
    }).catch(redirectIfSignedOut);
    const done = new Set(results.flatMap(({ id, ok }) => (ok ? [id] : [])));
    setRefused((before) => [...before, ...results.filter(({ ok }) => !ok)]);
    selection.write(selection.read().filter((id) => !done.has(id)));
    if (done.size > 0) toast.success(`${count(done.size)} ${verb === 'accept' ? 'accepted' : 'declined'}.`);
  };
  const answerAll = async (verb: 'accept' | 'decline', body: object = {}) => {
    setRefused([]);
    for (let start = 0; start < selected.length; start += maxAnswered)
      await answerSome(verb, selected.slice(start, start + maxAnswered), body);
  };

  if (selected.length === 0) return null;
  const stillRefused = refused.filter(({ id }) => selected.includes(id));
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
      {chosen.length > 0 ? (
        <p className="basis-full text-muted text-xs">If you accept now: {summarizeDue(chosen)}.</p>
      ) : null}
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
      {stillRefused.length > 0 ? (
        <Alert tone="error" className="max-h-40 basis-full overflow-y-auto">
          <ul aria-label="Not answered" className="grid gap-1">
            {stillRefused.map(({ id, error }) => (
              <li key={id}>{error}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
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
