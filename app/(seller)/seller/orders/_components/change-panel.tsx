'use client';

import { useState } from 'react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { ChangeCard } from '@/components/orders/change-card';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd, parseMoney } from '@/lib/money';
import type { SellerChangeView } from '@/lib/orders/placements/changes/contract';

/** Shows the paid changes that the buyer of an order asked for, and what the seller can do with them. */
export function ChangePanel({
  changes,
  isViewing,
}: {
  /** Newest first. */
  changes: readonly SellerChangeView[];
  /** Whether the screens of another user are shown, where nothing can be changed. */
  isViewing: boolean;
}) {
  const [newest] = changes;
  if (!newest) return null;
  return (
    <ChangeCard
      changes={changes.map((change) => ({ ...change, price: [{ label: 'You earn', cents: change.earnsCents }] }))}
      actions={isViewing ? null : <ChangeActions change={newest} />}
    />
  );
}

function ChangeActions({ change }: { change: SellerChangeView }) {
  const { state, earnsCents } = change;
  const post = (verb: string, body: object = {}) => postStep(change, verb, body);
  const isUnanswered = state === 'asked' || state === 'priced';
  const isAccepted = state === 'accepted' || state === 'delivered';
  return (
    <>
      {state === 'asked' ? (
        <ConfirmAction
          trigger={<Button variant="primary">Accept change</Button>}
          title={`Accept the change for ${formatUsd(earnsCents)}?`}
          description="The buyer pays now, and you earn it when the change is approved. If you do not deliver it in time, the money returns to the buyer."
          confirmLabel="Accept change"
          tone="primary"
          action={() => post('accept')}
          done={(after) =>
            after.state === 'priced' ? 'The buyer has to agree to the price first.' : 'Change accepted.'
          }
        />
      ) : null}
      {isAccepted ? <Deliver change={change} /> : null}
      {isUnanswered ? (
        <FormDialog
          trigger={<Button>Name another price</Button>}
          title="Name another price"
          description="The buyer agrees to it or withdraws the change."
          submitLabel="Send price"
          submit={(data) =>
            post('reprice', {
              cents: parseMoney(getFormText(data, 'amount')),
              reason: getFormText(data, 'reason').trim(),
            })
          }
          validate={(data) => ({
            ...((parseMoney(getFormText(data, 'amount')) ?? -1) < 0 && { amount: 'Enter an amount, e.g. 25.00.' }),
            ...(getFormText(data, 'reason').trim() === '' && { reason: 'Give a reason.' }),
          })}
          done="Price sent to the buyer."
          fields={[
            {
              ...{ name: 'amount', label: 'You earn, in USD', required: true, type: 'number' },
              hint: 'Your share. The buyer’s price is in proportion to that of the order.',
              ...{ min: 0, step: '0.01', currency: 'USD', defaultValue: (earnsCents / 100).toFixed(2) },
            },
            { name: 'reason', label: 'Reason', required: true, rows: 3, maxLength: 500 },
          ]}
        />
      ) : null}
      {isUnanswered || isAccepted ? (
        <FormDialog
          trigger={<Button>Decline change</Button>}
          title="Decline the change?"
          description={
            isAccepted
              ? 'The buyer gets the price of the change back and reads your reason. If the page has the change already, restore the link as it was before. This cannot be undone.'
              : 'The buyer reads your reason. Nothing was charged. This cannot be undone.'
          }
          submitLabel="Decline change"
          submit={(data) => post('decline', { reason: getFormText(data, 'reason').trim() })}
          validate={(data): Record<string, string> =>
            getFormText(data, 'reason').trim() === '' ? { reason: 'Give a reason.' } : {}
          }
          done="Change declined."
          fields={[{ name: 'reason', label: 'Reason', required: true, rows: 3, maxLength: 500 }]}
        />
      ) : null}
    </>
  );
}

const postStep = ({ id, orderId, version }: SellerChangeView, verb: string, body: object) =>
  apiFetch<SellerChangeView>(`/api/seller/orders/${orderId}/changes/${id}/${verb}`, {
    method: 'POST',
    body: { ...body, version },
  }).catch(redirectIfSignedOut);

/** Delivers a change. The field for a reason appears when the check does not find the link as asked. */
function Deliver({ change }: { change: SellerChangeView }) {
  const [needsReason, setNeedsReason] = useState(false);
  const isFirst = change.state === 'accepted';
  const deliver = async (data: FormData) => {
    try {
      await postStep(change, 'deliver', { reason: getFormText(data, 'reason').trim() || undefined });
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'link_not_in_order') setNeedsReason(true);
      throw cause;
    }
  };
  return (
    <FormDialog
      trigger={
        <Button variant={isFirst ? 'primary' : undefined}>{isFirst ? 'Deliver change' : 'Deliver again'}</Button>
      }
      title="Deliver the change"
      description="Publish the change first. The page is then checked, which takes up to 15 seconds, and the buyer reviews it."
      onOpenChange={() => setNeedsReason(false)}
      submitLabel="Check and deliver"
      submit={deliver}
      done="Change delivered."
      fields={
        needsReason
          ? [
              {
                ...{ name: 'reason', label: 'Reason to deliver it anyway', rows: 3, maxLength: 500 },
                hint: 'At least 10 characters, which the buyer reads. Leave it empty to check the page again.',
              },
            ]
          : []
      }
    />
  );
}
