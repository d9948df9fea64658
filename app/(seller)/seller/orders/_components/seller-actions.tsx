'use client';

import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import { declineFields, declineReasonOf, validateDecline } from './decline-form';
import { Deliver } from './deliver-dialog';

export type ActionsProps = {
  order: SellerOrderView;
  /** When the delivery would be due if the order were accepted now: "November 30, 2026 (5 business days)". */
  dueIfAccepted: string;
  /** The address of the post in WordPress; null without a live one. */
  postUrl: string | null;
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
          <Deliver order={props.order} postUrl={props.postUrl} />
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
        <Button variant="primary" icon={<Icon name="check" />}>
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

function Decline({ order }: ActionsProps) {
  return (
    <FormDialog
      trigger={<Button>Decline</Button>}
      title={`Decline order #${order.id}?`}
      description="The buyer is refunded and sees your reason. This cannot be undone."
      submitLabel="Decline order"
      submit={(data) => post(order, 'decline', { reason: declineReasonOf(data) })}
      validate={validateDecline}
      done={`Order #${order.id} declined.`}
      fields={declineFields}
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
