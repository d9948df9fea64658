'use client';

import { FormDialog, type FormDialogProps } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { isOpenExtension } from '@/components/orders/room/next-step';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { OrderView } from '@/lib/orders/contract';

type ReasonDialogProps = Pick<FormDialogProps, 'trigger' | 'title' | 'description' | 'submitLabel'> & {
  /** A string is its own label. */
  reasons: readonly (string | { value: string; label: string })[];
  textLabel: string;
  /** @throws ApiError */
  onSubmit: (reason: string, text: string) => Promise<unknown>;
};

/** Asks for a reason from a list, and for words. */
function ReasonDialog({ reasons, textLabel, onSubmit, ...dialog }: ReasonDialogProps) {
  return (
    <FormDialog
      {...dialog}
      fields={[
        { name: 'reason', label: 'Reason', required: true, placeholder: 'Choose a reason', options: reasons },
        { name: 'text', label: textLabel, required: true, rows: 5, maxLength: 4_000 },
      ]}
      validate={(data) => ({
        ...(getFormText(data, 'reason') === '' && { reason: 'Choose a reason.' }),
        ...(getFormText(data, 'text').trim() === '' && { text: 'Describe it in a few words.' }),
      })}
      submit={(data) => onSubmit(getFormText(data, 'reason'), getFormText(data, 'text'))}
      fallback={() => 'This couldn’t be sent. Check your connection and try again.'}
    />
  );
}

type BuyerActionsProps = {
  order: Pick<OrderView, 'id' | 'chargedCents'>;
  placement: NonNullable<OrderView['placement']>;
  /** The reasons for a dispute that buyers can choose. */
  disputeReasons: readonly { value: string; label: string }[];
};

/** Shows what the buyer can do with an order that a seller fulfills. */
export function BuyerActions({ order, placement, disputeReasons }: BuyerActionsProps) {
  const { state, extension, mayCancel, revisionsLeft, version } = placement;
  const path = `/api/orders/${order.id}`;
  const send = (verb: string, body: Record<string, unknown> = {}) =>
    apiFetch(`${path}/${verb}`, { method: 'POST', body: { ...body, version } }).catch(redirectIfSignedOut);
  const isWorking = state === 'accepted' || state === 'in_revision';
  return (
    <>
      {state === 'delivered' ? (
        <ConfirmAction
          trigger={<Button variant="primary">Approve</Button>}
          title={`Approve order #${order.id}?`}
          description="The delivered page becomes the live link of this order, and the seller earns their share. This cannot be undone. If the link changes later, you can open a dispute."
          confirmLabel="Approve"
          tone="primary"
          action={() => send('approve')}
        />
      ) : null}
      {state === 'delivered' && revisionsLeft > 0 ? (
        <ReasonDialog
          trigger={<Button>Ask for a change</Button>}
          title="Ask for a change"
          description={`The seller changes the page and delivers it again. ${formatLeft(revisionsLeft)}.`}
          reasons={revisionReasons}
          textLabel="What should change?"
          submitLabel="Ask for a change"
          onSubmit={(reason, text) => send('revision', { reason, text })}
        />
      ) : null}
      {isWorking && isOpenExtension(extension) ? (
        <ExtensionAnswer days={extension?.days ?? 0} onAnswer={(grant) => send('extension', { grant })} />
      ) : null}
      {state === 'delivered' || state === 'in_revision' || state === 'approved' ? (
        <ReasonDialog
          trigger={<Button>Open a dispute</Button>}
          title={`Open a dispute about order #${order.id}`}
          description="You and the seller agree on a share of the price that returns to you, or our team decides. Until then, its deadlines are paused."
          reasons={disputeReasons}
          textLabel="What is wrong?"
          submitLabel="Open dispute"
          onSubmit={(reason, text) => send('dispute', { reason, text })}
        />
      ) : null}
      {mayCancel ? (
        <ConfirmAction
          trigger={<Button>Cancel order</Button>}
          title={`Cancel order #${order.id}?`}
          description={`${formatUsd(order.chargedCents)} returns to your wallet at once, and the seller is told to stop. This cannot be undone.`}
          confirmLabel="Cancel order"
          cancelLabel="Keep order"
          action={() => send('cancel')}
        />
      ) : null}
    </>
  );
}

const revisionReasons = [
  'The link is missing or leads to another page',
  'The anchor text is different',
  'The link attribute is different',
  'The article differs from the brief',
  'The article has errors',
  'Another reason',
];

const formatLeft = (count: number) => (count === 1 ? 'You can ask once more' : `You can ask ${count} more times`);

function ExtensionAnswer({ days, onAnswer }: { days: number; onAnswer: (grant: boolean) => Promise<unknown> }) {
  const text = `${days} ${days === 1 ? 'day' : 'days'}`;
  return (
    <>
      <ConfirmAction
        trigger={<Button variant="primary">{`Grant ${text}`}</Button>}
        title={`Grant ${text} more?`}
        description="The delivery is then due that much later."
        confirmLabel={`Grant ${text}`}
        tone="primary"
        action={() => onAnswer(true)}
      />
      <ConfirmAction
        trigger={<Button>Refuse</Button>}
        title={`Refuse ${text} more?`}
        description="The due day stays as it is. If the delivery is late, you can cancel the order."
        confirmLabel="Refuse"
        tone="primary"
        action={() => onAnswer(false)}
      />
    </>
  );
}
