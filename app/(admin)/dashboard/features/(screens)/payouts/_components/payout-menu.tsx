'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { ActionMenu, type MenuAction } from '@/components/form/action-menu';
import { getFormText } from '@/components/form/fields';
import { payoutMethodNames } from '@/components/payouts/payout-labels';
import { type Fact, FactList } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import type { PayoutState } from '@/db/schema/payouts';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { AdminPayoutView } from '@/lib/payouts/contract';
import type { PayoutMethodDetailsView } from '@/lib/payouts/methods/show';

type PayoutMenuProps = { payout: AdminPayoutView };

type Failure = { step: 'failed' | 'return'; label: string; title: string; done: string };

const requestReturn = {
  step: 'return',
  label: 'Request return',
  done: 'The return waits for a second person.',
} as const;
/** What recording a failure does, in the states in which it is possible. */
const failures: Partial<Record<PayoutState, Failure>> = {
  requested: { step: 'failed', label: 'Decline', title: 'Decline this payout?', done: 'Payout declined.' },
  approved: {
    step: 'failed',
    label: 'Mark as failed',
    title: 'Mark this payout as failed?',
    done: 'Payout marked as failed.',
  },
  sent: { ...requestReturn, title: 'Was this payout not executed?' },
  paid: { ...requestReturn, title: 'Was this payout returned?' },
};

/**
 * Renders the actions for a payout. Of a payout that is over, or that PayPal processes, only the method can be viewed,
 * and an unclaimed one canceled.
 */
export function PayoutMenu({ payout }: PayoutMenuProps) {
  const [method, setMethod] = useState<PayoutMethodDetailsView | null>(null);
  const { id, state, sellerEmail, amountCents, feeCents, version } = payout;
  const failure = payout.isAtProvider || payout.isReturnPending ? undefined : failures[state];
  const isUnclaimed = state === 'sent' && payout.providerStatus === 'UNCLAIMED';
  const money = formatUsd(amountCents - feeCents);
  const change = (step: string, body?: object) =>
    apiFetch<AdminPayoutView>(`/api/admin/payouts/${id}/${step}`, { method: 'POST', body });
  const viewMethod = async () => {
    try {
      setMethod(await apiFetch<PayoutMethodDetailsView>(`/api/admin/payouts/${id}/method`));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      toast.error(thrown.message || 'The payout method couldn’t be loaded. Please try again.');
    }
  };
  const approve: MenuAction = {
    label: 'Approve',
    icon: <Icon name="check" />,
    confirm: {
      title: `Approve ${money} to ${sellerEmail}?`,
      description: 'The seller can no longer withdraw it.',
      confirmLabel: `Approve ${money}`,
      tone: 'primary',
      action: async () => {
        const after = await change('approve', { version });
        if (after.state === 'approved') toast.success('Payout approved.');
        else toast.info('Approved. The amount needs the approval of a second person.');
      },
    },
  };
  const markPaid: MenuAction = {
    label: 'Mark as paid',
    icon: <Icon name="circle-check" />,
    form: {
      title: `Mark ${money} as paid`,
      description: `To ${sellerEmail}. The seller is notified.`,
      size: 'sm',
      submitLabel: 'Mark as paid',
      fields: [
        {
          name: 'reference',
          label: 'Reference',
          hint: 'Optional. The seller finds the payment by it.',
          maxLength: 200,
        },
      ],
      submit: (data) => change('paid', { reference: getFormText(data, 'reference'), version }),
      done: 'Payout marked as paid.',
      fallback: saveFailed,
    },
  };
  const fail = ({ step, label, title, done }: Failure): MenuAction => ({
    label,
    icon: <Icon name="ban" />,
    tone: 'danger',
    form: {
      title,
      description: `${formatUsd(amountCents)} returns to the balance of ${sellerEmail}${step === 'return' ? ' when a second person approves it' : ''}.`,
      size: 'sm',
      submitLabel: label,
      fields: [{ name: 'reason', label: 'Reason', hint: 'The seller reads it.', maxLength: 500, required: true }],
      submit: (data) => change(step, { reason: getFormText(data, 'reason'), version }),
      done,
      fallback: saveFailed,
    },
  });
  const cancel: MenuAction = {
    label: 'Cancel at PayPal',
    icon: <Icon name="ban" />,
    tone: 'danger',
    confirm: {
      title: `Cancel ${money} to ${sellerEmail}?`,
      description: `The recipient has not claimed it. ${formatUsd(amountCents)} returns to the seller’s balance.`,
      confirmLabel: 'Cancel the payout',
      cancelLabel: 'Keep',
      action: () => change('cancel'),
      done: 'Payout canceled at PayPal.',
    },
  };
  return (
    <>
      <ActionMenu
        name={`the payout to ${sellerEmail}`}
        actions={[
          ...(state === 'requested' ? [approve] : []),
          ...(!payout.isAtProvider && (state === 'approved' || state === 'sent') ? [markPaid] : []),
          { label: 'View payout method', icon: <Icon name="eye" />, onSelect: viewMethod },
          ...(failure ? [fail(failure)] : []),
          ...(isUnclaimed ? [cancel] : []),
        ]}
      />
      <MethodDetailsDialog method={method} sellerEmail={sellerEmail} onClose={() => setMethod(null)} />
    </>
  );
}

const saveFailed = () => 'The payout couldn’t be saved. Please try again.';

type MethodDetailsDialogProps = {
  /** Null while the dialog is closed. */
  method: PayoutMethodDetailsView | null;
  sellerEmail: string;
  onClose: () => void;
};

/** Shows the details of a payout method, by which staff pay it by hand. */
function MethodDetailsDialog({ method, sellerEmail, onClose }: MethodDetailsDialogProps) {
  // Remains visible during the closing animation.
  const [shown, setShown] = useState(method);
  if (method && method !== shown) setShown(method);
  return (
    <Dialog
      open={method !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Payout method"
      description={`Of ${sellerEmail}. The audit log records that you viewed it.`}
      size="sm"
    >
      {shown ? <FactList facts={listFacts(shown)} /> : null}
    </Dialog>
  );
}

function listFacts(method: PayoutMethodDetailsView): Fact[] {
  const { kind, addressLines, postalCode, town } = method;
  const facts: [string, string | null][] = [
    ['Method', payoutMethodNames[kind]],
    ['Email', method.email],
    ['IBAN', method.iban],
    ['BIC', method.bic],
    ['Routing no.', method.routingNumber],
    ['Account no.', method.accountNumber],
    ['Account type', method.accountType && (method.accountType === 'savings' ? 'Savings' : 'Checking')],
    ['Holder', method.holder],
    ['Address', [...addressLines, [postalCode, town].filter(Boolean).join(' ')].filter(Boolean).join(', ')],
    ['Country', method.country],
  ];
  const input = facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
  if (!method.text) return input;
  const agreement = <span className="whitespace-pre-line">{method.text}</span>;
  return [...input, ['Agreement', agreement]];
}
