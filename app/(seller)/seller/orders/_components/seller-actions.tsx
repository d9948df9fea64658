'use client';

import { Check, Link2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatUrl } from '@/components/ui/format';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import { StepDialog } from './step-dialog';

export type ActionsProps = {
  order: SellerOrderView;
  /** The day on which the delivery would be due if the order were accepted now, e.g. "Nov 30, 2026". */
  dueIfAccepted: string;
  /** The reasons for a dispute that sellers can choose. */
  disputeReasons: readonly { value: string; label: string }[];
};

/** The seller's actions for an order in its current state; nothing in a state that waits for others. */
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

const endpointOf = ({ id }: SellerOrderView, step: string) => `/api/seller/orders/${id}/${step}`;
/** Answered with 409 if the order has changed since the page was shown. */
const versionOf = ({ version }: SellerOrderView) => ({ version });

function Accept({ order, dueIfAccepted }: ActionsProps) {
  const router = useRouter();
  const accept = async () => {
    await apiFetch(endpointOf(order, 'accept'), { method: 'POST', body: versionOf(order) }).catch(redirectIfSignedOut);
    toast.success(`Order #${order.id} accepted.`);
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button variant="primary" icon={<Check className="size-4" />}>
          Accept
        </Button>
      }
      title={`Accept order #${order.id}?`}
      description={`You agree to publish the placement on ${formatUrl(order.website)} by ${dueIfAccepted}.`}
      confirmLabel="Accept order"
      tone="primary"
      onConfirm={accept}
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

/** The chosen reason and the note as one text, which the buyer reads. */
function declineReasonOf(data: FormData): string {
  const [reason, note] = [getFormText(data, 'reason'), getFormText(data, 'text').trim()];
  if (reason === other) return note;
  return note === '' ? reason : `${reason}: ${note}`;
}

function Decline({ order }: ActionsProps) {
  return (
    <StepDialog
      trigger={<Button>Decline</Button>}
      title={`Decline order #${order.id}?`}
      description="The buyer is refunded and sees your reason. This cannot be undone."
      submitLabel="Decline order"
      endpoint={endpointOf(order, 'decline')}
      bodyOf={(data) => ({ reason: declineReasonOf(data), ...versionOf(order) })}
      validate={(data): Record<string, string> => {
        const reason = getFormText(data, 'reason');
        if (reason === '') return { reason: 'Choose a reason.' };
        return reason === other && declineReasonOf(data) === '' ? { text: 'Describe the reason.' } : {};
      }}
      done={`Order #${order.id} declined.`}
    >
      {(errors) => (
        <>
          <SelectField
            name="reason"
            label="Reason"
            required
            placeholder="Choose a reason"
            options={declineReasons.map((reason) => ({ value: reason, label: reason }))}
            error={errors.reason}
          />
          <TextareaField
            name="text"
            label="Note"
            hint="Required for “Another reason”."
            rows={3}
            maxLength={400}
            error={errors.text}
          />
        </>
      )}
    </StepDialog>
  );
}

function Deliver({ order }: ActionsProps) {
  return (
    <StepDialog
      trigger={
        <Button variant="primary" icon={<Link2 className="size-4" />}>
          Deliver
        </Button>
      }
      title={`Deliver order #${order.id}`}
      description="The buyer reviews the page and approves it or asks for a change."
      submitLabel="Deliver"
      endpoint={endpointOf(order, 'deliver')}
      bodyOf={(data) => ({ url: getFormText(data, 'url').trim(), ...versionOf(order) })}
      validate={(data): Record<string, string> =>
        getFormText(data, 'url').trim() === '' ? { url: 'Enter the URL of the page.' } : {}
      }
      // The page is on another domain than the site.
      fieldOf={{ 422: 'url' }}
      done={`Order #${order.id} delivered.`}
    >
      {(errors) => (
        <TextField
          name="url"
          label="URL of the page"
          required
          inputMode="url"
          autoComplete="off"
          placeholder={`https://${formatUrl(order.website)}/article`}
          hint={`A page on ${formatUrl(order.website)}.`}
          defaultValue={order.deliveredUrl ?? ''}
          error={errors.url}
        />
      )}
    </StepDialog>
  );
}

function AskForDays({ order }: ActionsProps) {
  return (
    <StepDialog
      trigger={<Button>Ask for more days</Button>}
      title="Ask for more days"
      description="The buyer grants or declines the days. You can ask once."
      submitLabel="Send request"
      endpoint={endpointOf(order, 'extension')}
      bodyOf={(data) => ({
        days: Number(getFormText(data, 'days')),
        reason: getFormText(data, 'reason').trim(),
        ...versionOf(order),
      })}
      validate={(data) => {
        const days = Number(getFormText(data, 'days'));
        return {
          ...(!(Number.isInteger(days) && days >= 1 && days <= 30) && { days: 'Enter a whole number from 1 to 30.' }),
          ...(getFormText(data, 'reason').trim() === '' && { reason: 'Give a reason.' }),
        };
      }}
      done="Request sent to the buyer."
    >
      {(errors) => (
        <>
          <TextField
            name="days"
            label="Days"
            required
            type="number"
            min={1}
            max={30}
            inputMode="numeric"
            defaultValue="3"
            error={errors.days}
          />
          <TextareaField name="reason" label="Reason" required rows={3} maxLength={500} error={errors.reason} />
        </>
      )}
    </StepDialog>
  );
}

function Release({ order }: ActionsProps) {
  const router = useRouter();
  const release = async () => {
    await apiFetch(endpointOf(order, 'release'), { method: 'POST', body: versionOf(order) }).catch(redirectIfSignedOut);
    toast.success('The buyer can now cancel this order.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button>Agree to a cancellation</Button>}
      title={`Let the buyer cancel order #${order.id}?`}
      description="If the buyer cancels, the whole price is refunded and you earn nothing. Until then, you can still deliver. This cannot be undone."
      confirmLabel="Agree"
      onConfirm={release}
    />
  );
}

function OpenDispute({ order, disputeReasons }: ActionsProps) {
  return (
    <StepDialog
      trigger={<Button>Open a dispute</Button>}
      title={`Open a dispute about order #${order.id}`}
      description="For a requested change that is not part of the brief. You and the buyer agree on a share of the price, or our team decides."
      submitLabel="Open dispute"
      endpoint={endpointOf(order, 'dispute')}
      bodyOf={(data) => ({
        reason: getFormText(data, 'reason'),
        text: getFormText(data, 'text').trim(),
        ...versionOf(order),
      })}
      validate={(data) => ({
        ...(getFormText(data, 'reason') === '' && { reason: 'Choose a reason.' }),
        ...(getFormText(data, 'text').trim() === '' && { text: 'Describe the problem.' }),
      })}
      done="Dispute opened."
    >
      {(errors) => (
        <>
          <SelectField
            name="reason"
            label="Reason"
            required
            placeholder="Choose a reason"
            options={disputeReasons}
            error={errors.reason}
          />
          <TextareaField name="text" label="Description" required rows={4} maxLength={4_000} error={errors.text} />
        </>
      )}
    </StepDialog>
  );
}
