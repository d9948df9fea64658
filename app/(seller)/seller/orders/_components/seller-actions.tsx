'use client';

import { Check, Link2 } from 'lucide-react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { formatUrl } from '@/components/ui/format';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';

export type ActionsProps = {
  order: SellerOrderView;
  /** The day on which the delivery would be due if the order were accepted now, e.g. "Nov 30, 2026". */
  dueIfAccepted: string;
  /** The reasons for a dispute that sellers can choose. */
  disputeReasons: readonly { value: string; label: string }[];
};

/** Renders the seller's actions for an order in its current state; nothing in a state that waits for others. */
export function SellerActions(props: ActionsProps) {
  switch (props.order.state) {
    case 'offered':
      return (
        <>
          <Decline {...props} />
          <Accept {...props} />
        </>
      );
    case 'accepted':
    case 'in_revision':
      return (
        <>
          {props.order.releasedAt === null ? <Release {...props} /> : null}
          {props.order.extension === null ? <AskForDays {...props} /> : null}
          {props.order.state === 'in_revision' ? <OpenDispute {...props} /> : null}
          <Deliver {...props} />
        </>
      );
    default:
      return null;
  }
}

/** Sends a step of the order. */
const post = (order: SellerOrderView, step: string, body: object = {}) =>
  apiFetch(`/api/seller/orders/${order.id}/${step}`, {
    method: 'POST',
    // Answered with 409 if the order has changed since the page was shown.
    body: { ...body, version: order.version },
  }).catch(redirectIfSignedOut);

function Accept({ order, dueIfAccepted }: ActionsProps) {
  return (
    <ConfirmAction
      trigger={
        <Button variant="primary" icon={<Check className="size-4" />}>
          Accept
        </Button>
      }
      title={`Accept order #${order.id}?`}
      description={`You agree to publish the placement on ${formatUrl(order.website)} by ${dueIfAccepted}.`}
      confirmLabel="Accept order"
      tone="primary"
      action={() => post(order, 'accept')}
      done={`Order #${order.id} accepted.`}
    />
  );
}

/** With this reason, the note is required and is the whole reason. */
const other = 'Another reason';
const declineReasons = [
  'The topic does not fit',
  'The brief cannot be met',
  'The price has changed',
  'The site is no longer available',
  other,
];

/** Returns the chosen reason and the note as one text, which the buyer reads. */
function declineReasonOf(data: FormData): string {
  const [reason, note] = [getFormText(data, 'reason'), getFormText(data, 'text').trim()];
  if (reason === other) return note;
  return note === '' ? reason : `${reason}: ${note}`;
}

function Decline({ order }: ActionsProps) {
  return (
    <FormDialog
      trigger={<Button>Decline</Button>}
      title={`Decline order #${order.id}?`}
      description="The buyer is refunded and sees your reason. This cannot be undone."
      submitLabel="Decline order"
      submit={(data) => post(order, 'decline', { reason: declineReasonOf(data) })}
      validate={(data): Record<string, string> => {
        const reason = getFormText(data, 'reason');
        if (reason === '') return { reason: 'Choose a reason.' };
        return reason === other && declineReasonOf(data) === '' ? { text: 'Describe the reason.' } : {};
      }}
      done={`Order #${order.id} declined.`}
      fields={[
        { name: 'reason', label: 'Reason', required: true, placeholder: 'Choose a reason', options: declineReasons },
        { name: 'text', label: 'Note', hint: 'Required for “Another reason”.', rows: 3, maxLength: 400 },
      ]}
    />
  );
}

/** Assigns an error of a URL on another domain than the site to its field. */
function assignToUrl(cause: unknown): never {
  if (!(cause instanceof ApiError) || cause.status !== 422 || Object.keys(cause.fields).length > 0) throw cause;
  throw new ApiError(cause.status, cause.message, { url: cause.message }, cause.url, cause.code);
}

function Deliver({ order }: ActionsProps) {
  return (
    <FormDialog
      trigger={
        <Button variant="primary" icon={<Link2 className="size-4" />}>
          Deliver
        </Button>
      }
      title={`Deliver order #${order.id}`}
      description="The buyer reviews the page and approves it or asks for a change."
      submitLabel="Deliver"
      submit={(data) => post(order, 'deliver', { url: getFormText(data, 'url').trim() }).catch(assignToUrl)}
      validate={(data): Record<string, string> =>
        getFormText(data, 'url').trim() === '' ? { url: 'Enter the URL of the page.' } : {}
      }
      done={`Order #${order.id} delivered.`}
      fields={[
        {
          name: 'url',
          label: 'URL of the page',
          required: true,
          inputMode: 'url',
          placeholder: `https://${formatUrl(order.website)}/article`,
          hint: `A page on ${formatUrl(order.website)}.`,
          defaultValue: order.deliveredUrl ?? '',
        },
      ]}
    />
  );
}

function AskForDays({ order }: ActionsProps) {
  return (
    <FormDialog
      trigger={<Button>Ask for more days</Button>}
      title="Ask for more days"
      description="The buyer grants or declines the days. You can ask once."
      submitLabel="Send request"
      submit={(data) =>
        post(order, 'extension', {
          days: Number(getFormText(data, 'days')),
          reason: getFormText(data, 'reason').trim(),
        })
      }
      validate={(data) => {
        const days = Number(getFormText(data, 'days'));
        return {
          ...(!(Number.isInteger(days) && days >= 1 && days <= 30) && { days: 'Enter a whole number from 1 to 30.' }),
          ...(getFormText(data, 'reason').trim() === '' && { reason: 'Give a reason.' }),
        };
      }}
      done="Request sent to the buyer."
      fields={[
        {
          name: 'days',
          label: 'Days',
          hint: 'Calendar days',
          required: true,
          type: 'number',
          min: 1,
          max: 30,
          defaultValue: '3',
        },
        { name: 'reason', label: 'Reason', required: true, rows: 3, maxLength: 500 },
      ]}
    />
  );
}

function Release({ order }: ActionsProps) {
  return (
    <ConfirmAction
      trigger={<Button>Agree to a cancellation</Button>}
      title={`Let the buyer cancel order #${order.id}?`}
      description="If the buyer cancels, the whole price is refunded and you earn nothing. Until then, you can still deliver. This cannot be undone."
      confirmLabel="Agree"
      action={() => post(order, 'release')}
      done="The buyer can now cancel this order."
    />
  );
}

function OpenDispute({ order, disputeReasons }: ActionsProps) {
  return (
    <FormDialog
      trigger={<Button>Open a dispute</Button>}
      title={`Open a dispute about order #${order.id}`}
      description="For a requested change that is not part of the brief. You and the buyer agree on a share of the price, or our team decides."
      submitLabel="Open dispute"
      submit={(data) =>
        post(order, 'dispute', { reason: getFormText(data, 'reason'), text: getFormText(data, 'text').trim() })
      }
      validate={(data) => ({
        ...(getFormText(data, 'reason') === '' && { reason: 'Choose a reason.' }),
        ...(getFormText(data, 'text').trim() === '' && { text: 'Describe the problem.' }),
      })}
      done="Dispute opened."
      fields={[
        { name: 'reason', label: 'Reason', required: true, placeholder: 'Choose a reason', options: disputeReasons },
        { name: 'text', label: 'Description', required: true, rows: 4, maxLength: 4_000 },
      ]}
    />
  );
}
