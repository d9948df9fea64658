'use client';

import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { ChangeCard } from '@/components/orders/change-card';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
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
  const { id, orderId, state, version, earnsCents } = change;
  const post = (verb: string, body: object = {}) =>
    apiFetch(`/api/seller/orders/${orderId}/changes/${id}/${verb}`, {
      method: 'POST',
      body: { ...body, version },
    }).catch(redirectIfSignedOut);
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
          done="Change accepted."
        />
      ) : null}
      {isAccepted ? (
        <FormDialog
          trigger={
            <Button variant={state === 'accepted' ? 'primary' : undefined}>
              {state === 'accepted' ? 'Deliver change' : 'Deliver again'}
            </Button>
          }
          title="Deliver the change"
          description="Publish the change first. The page is checked at once, which takes some seconds; then the buyer reviews it."
          submitLabel="Check and deliver"
          submit={(data) => post('deliver', { reason: getFormText(data, 'reason').trim() || undefined })}
          done="Change delivered."
          fields={[
            {
              ...{ name: 'reason', label: 'Reason, if the check does not find the link', rows: 3, maxLength: 500 },
              hint: 'Leave it empty for the check. The buyer reads it.',
            },
          ]}
        />
      ) : null}
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
              ? 'The buyer gets the price of the change back and reads your reason. This cannot be undone.'
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
