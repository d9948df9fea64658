'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ActionMenu, type MenuAction } from '@/components/form/action-menu';
import { getFormText } from '@/components/form/fields';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { RefundForm } from '@/components/wallet/refund-form';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatMoney, formatUsd } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { AdminSourceRefundView, StartedRefundView } from '@/lib/payments/reversals/source-refunds/contract';
import { useToastOperation } from './wallet-operations';

type RefundTopupProps = { topupId: string; amountCents: number; user: string; method: string };

/** Renders the button and dialog that refund a top-up to its payment method. */
export function RefundTopup({ topupId, amountCents, user, method }: RefundTopupProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const money = formatUsd(amountCents);
  return (
    <Dialog
      trigger={
        <Button size="sm" aria-label={`Refund the top-up of ${money} by ${user}`}>
          Refund
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={`Refund to ${user}`}
      description={`The money leaves the wallet and goes back to the card or account that paid by ${method}.`}
      size="sm"
    >
      <RefundForm<StartedRefundView>
        path="/api/admin/wallet/refunds"
        topupId={topupId}
        amountCents={amountCents}
        amountHint="At most what the payment still has, and what the wallet holds."
        reason={{ hint: 'For the audit log. The buyer does not read it.', isRequired: true }}
        submitLabel="Refund"
        onDone={(started) => {
          setOpen(false);
          announceStartedRefund(started);
          router.refresh();
        }}
      />
    </Dialog>
  );
}

type RefundMenuProps = { refund: AdminSourceRefundView };

/** Renders the actions for a refund that waits for staff or is in progress. A refund that ended has none. */
export function RefundMenu({ refund }: RefundMenuProps) {
  const { id, state, userEmail, amountCents, currency, provider, version } = refund;
  const { pending, run } = useToastOperation(() => retryRefund(id));
  if (state !== 'requested' && state !== 'processing') return null;
  const money = formatMoney(amountCents, currency);
  const decide = <View,>(step: 'approve' | 'decline', body: object) =>
    apiFetch<View>(`/api/admin/wallet/refunds/${id}/${step}`, { method: 'POST', body });
  const review: MenuAction[] = [
    {
      label: 'Approve',
      icon: <Icon name="check" />,
      confirm: {
        title: `Refund ${money} to ${userEmail}?`,
        description: `The money leaves the wallet and goes back to the payment method by ${providerNames[provider]}.`,
        confirmLabel: `Refund ${money}`,
        tone: 'primary',
        action: async () => announceStartedRefund(await decide<StartedRefundView>('approve', { version })),
      },
    },
    {
      label: 'Decline',
      icon: <Icon name="ban" />,
      tone: 'danger',
      form: {
        title: 'Decline this refund?',
        description: `${money} stays in the wallet of ${userEmail}.`,
        size: 'sm',
        submitLabel: 'Decline',
        fields: [{ name: 'reason', label: 'Reason', hint: 'The buyer reads it.', maxLength: 500, required: true }],
        submit: (data) => decide('decline', { reason: getFormText(data, 'reason') }),
        done: 'Refund declined.',
        fallback: () => 'The refund couldn’t be declined. Please try again.',
      },
    },
  ];
  const retry: MenuAction = { label: 'Retry now', icon: <Icon name="refresh-cw" />, onSelect: () => void run() };
  return (
    <ActionMenu
      name={`the refund of ${money} to ${userEmail}`}
      pending={pending}
      actions={state === 'requested' ? review : [retry]}
    />
  );
}

async function retryRefund(id: string): Promise<{ isGood: boolean; text: string }> {
  const { state, error } = await apiFetch<AdminSourceRefundView>(`/api/admin/wallet/refunds/${id}/retry`, {
    method: 'POST',
  });
  if (state === 'succeeded') return { isGood: true, text: 'The refund was made.' };
  if (error) return { isGood: false, text: error };
  return { isGood: state === 'processing', text: `The refund is ${state === 'processing' ? 'in progress' : state}.` };
}

/** Shows the result of a refund that staff created or approved. */
function announceStartedRefund({ refund, approvalId }: StartedRefundView): void {
  if (approvalId !== null || refund === null) {
    toast.info('The amount needs the approval of a second person.');
    return;
  }
  const money = formatMoney(refund.amountCents, refund.currency);
  if (refund.state === 'succeeded') toast.success(`${money} refunded.`);
  else if (refund.state === 'failed') toast.error(`The refund failed: ${refund.error || refund.answer}`);
  else if (refund.error) toast.error(`The refund is repeated automatically: ${refund.error}`);
  else toast.success(`The refund of ${money} is in progress.`);
}

type DeleteButtonProps = {
  id: string;
  /** The transaction in words, e.g. "$25.00 of Ada Byron". */
  what: string;
  /** The reason why the transaction cannot be deleted; null if it can. */
  refusal: string | null;
  /** The transaction is a payment through a provider. */
  isPaidIn: boolean;
  method: string;
};

/** Deletes a transaction after confirmation. If the transaction cannot be deleted, displays the reason instead. */
export function DeleteButton({ id, what, refusal, isPaidIn, method }: DeleteButtonProps) {
  const label = refusal === null ? `Delete ${what}` : `Why ${what} cannot be deleted`;
  const trigger = (
    <IconButton label={label} className={refusal === null ? 'text-red-ink' : 'text-subtle'}>
      {refusal === null ? <Icon name="trash" /> : <Icon name="lock-keyhole" className="size-3.5" />}
    </IconButton>
  );
  if (refusal !== null) {
    return (
      <Dialog title="This transaction can’t be deleted" size="sm" trigger={trigger}>
        <DialogBody>
          <p className="text-sm">{refusal}</p>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    );
  }
  return (
    <ConfirmAction
      trigger={trigger}
      title="Delete this transaction and update the user’s balance?"
      description={`${what} is reversed by a counter-entry, and both are removed from the lists.${isPaidIn ? ` The money itself stays at ${method} as an unmatched payment until you refund it there.` : ''}`}
      confirmLabel="Delete transaction"
      action={() => removeTransaction(id)}
      done="Transaction deleted."
    />
  );
}

/**
 * Deletes a transaction, then recalculates the user's balance.
 * @throws Error with the message to display
 */
async function removeTransaction(id: string): Promise<void> {
  try {
    const { user_id: userId } = await apiFetch<{ user_id: string }>(`/api/admin/wallet/transaction/${id}`, {
      method: 'DELETE',
    });
    await apiFetch(`/api/admin/wallet/recalc/${userId}`, { method: 'POST' });
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'Delete failed. Please try again.');
  }
}
