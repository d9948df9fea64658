'use client';

import { FormDialog, type FormDialogProps } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { OrderView } from '@/lib/orders/contract';
import type { Finding } from '@/lib/orders/describe-finding';
import { isOpenExtension } from '@/lib/orders/describe-status';
import { formatWorkDays } from '@/lib/orders/placements/clocks';
import { deselect } from './review-selection';

type ReasonDialogProps = Pick<FormDialogProps, 'trigger' | 'title' | 'description' | 'submitLabel'> & {
  /** A string is its own label. */
  reasons: readonly (string | { value: string; label: string })[];
  textLabel: string;
  /** What is entered at first. */
  entered?: { reason: string; text: string } | undefined;
  /** @throws ApiError */
  onSubmit: (reason: string, text: string) => Promise<unknown>;
};

/** Asks for a reason from a list, and for words. */
function ReasonDialog({ reasons, textLabel, entered, onSubmit, ...dialog }: ReasonDialogProps) {
  return (
    <FormDialog
      {...dialog}
      fields={[
        {
          name: 'reason',
          label: 'Reason',
          required: true,
          placeholder: 'Choose a reason',
          options: reasons,
          defaultValue: entered?.reason,
        },
        { name: 'text', label: textLabel, required: true, rows: 5, maxLength: 4_000, defaultValue: entered?.text },
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
  finding: Finding | null;
  order: Pick<OrderView, 'id' | 'chargedCents' | 'taxCents'>;
  placement: NonNullable<OrderView['placement']>;
  /** The reasons for a dispute that buyers can choose. */
  disputeReasons: readonly { value: string; label: string }[];
};

/** Shows what the buyer can do with an order that a seller fulfills. */
export function BuyerActions({ order, placement, finding, disputeReasons }: BuyerActionsProps) {
  const { state, extension, mayCancel, revisionsLeft } = placement;
  const send = createSender(order, placement);
  const isWorking = state === 'accepted' || state === 'in_revision';
  const hasFinding = state === 'delivered' && finding !== null;
  const canAsk = state === 'delivered' && revisionsLeft > 0;
  return (
    <>
      {state === 'delivered' ? <ReviewActions {...{ order, placement, finding }} /> : null}
      {isWorking && isOpenExtension(extension) ? (
        <ExtensionAnswer days={extension?.days ?? 0} onAnswer={(grant) => send('extension', { grant })} />
      ) : null}
      {state === 'delivered' || state === 'in_revision' || state === 'approved' ? (
        <ReasonDialog
          trigger={<Button variant={hasFinding && !canAsk ? 'primary' : undefined}>Open a dispute</Button>}
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
          description={`${formatUsd(order.chargedCents + order.taxCents)} returns to your wallet at once, and the seller is told to stop. This cannot be undone.`}
          confirmLabel="Cancel order"
          cancelLabel="Keep order"
          action={() => send('cancel')}
        />
      ) : null}
    </>
  );
}

/** Returns the function that sends a step of an order, based on the version that the user sees. */
const createSender =
  ({ id }: Pick<OrderView, 'id'>, { version }: Pick<BuyerActionsProps['placement'], 'version'>) =>
  (verb: string, body: Record<string, unknown> = {}) =>
    apiFetch(`/api/orders/${id}/${verb}`, { method: 'POST', body: { ...body, version } }).catch(redirectIfSignedOut);

type ReviewActionsProps = {
  finding: Finding | null;
  order: Pick<OrderView, 'id'>;
  placement: Pick<BuyerActionsProps['placement'], 'version' | 'revisionsLeft' | 'deliveredUrl'>;
  /** Whether the actions are part of a list: they are small, and named after the order. */
  isListed?: boolean;
};

/**
 * Answers a delivery. Approving comes first, or asking for a change when the newest check found a problem, which is filled
 * in.
 */
export function ReviewActions({ order, placement, finding, isListed = false }: ReviewActionsProps) {
  const { revisionsLeft, deliveredUrl } = placement;
  const send = createSender(order, placement);
  const look = (label: string, isFirst: boolean) => ({
    ...(isFirst && { variant: 'primary' as const }),
    ...(isListed && { size: 'sm' as const, 'aria-label': `${label}: order #${order.id}` }),
    children: label,
  });
  const approve = (
    <ConfirmAction
      key="approve"
      trigger={<Button {...look('Approve', finding === null)} />}
      title={`Approve order #${order.id}?`}
      description={`${finding ? `The newest check found a problem: ${finding.text} ` : ''}The delivered page becomes the live link of this order, and the seller earns their share. This cannot be undone. If the link changes later, you can open a dispute.`}
      confirmLabel={finding ? 'Approve anyway' : 'Approve'}
      tone={finding ? 'danger' : 'primary'}
      action={() => send('approve').then(() => deselect(order.id))}
    />
  );
  const ask =
    revisionsLeft > 0 ? (
      <ReasonDialog
        key="ask"
        trigger={<Button {...look('Ask for a change', finding !== null)} />}
        title="Ask for a change"
        description={`The seller changes the page and delivers it again. ${formatLeft(revisionsLeft)}.`}
        reasons={revisionReasons}
        textLabel="What should change?"
        submitLabel="Ask for a change"
        entered={finding ? complaintOf(finding, deliveredUrl) : undefined}
        onSubmit={(reason, text) => send('revision', { reason, text }).then(() => deselect(order.id))}
      />
    ) : null;
  return finding ? [ask, approve] : [approve, ask];
}

const revisionReasons = [
  'The link is missing or leads to another page',
  'The anchor text is different',
  'The link attribute is different',
  'The article differs from the brief',
  'The article has errors',
  'Another reason',
];

const reasonOf = new Map([
  ['link_missing', revisionReasons[0]],
  ['anchor_changed', revisionReasons[1]],
  ['rel_changed', revisionReasons[2]],
]);

/** Returns what the buyer can send as it is: the finding of the check, and the page that it is about. */
const complaintOf = ({ text, reason }: Finding, page: string | null) => ({
  reason: reasonOf.get(reason) ?? 'Another reason',
  text: [`The link check found: ${text}`, page].filter(Boolean).join('\n'),
});

const formatLeft = (count: number) => (count === 1 ? 'You can ask once more' : `You can ask ${count} more times`);

function ExtensionAnswer({ days, onAnswer }: { days: number; onAnswer: (grant: boolean) => Promise<unknown> }) {
  const text = formatWorkDays(days, 'calendar');
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
