'use client';

import { Ban, Check, CircleCheck, Eye } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { payoutMethodNames } from '@/components/payouts/payout-labels';
import { RowMenu } from '@/components/table/record-actions';
import { type Fact, FactList } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { MenuItem } from '@/components/ui/menu';
import type { PayoutState } from '@/db/schema/payouts';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { AdminPayoutView } from '@/lib/payouts/contract';
import type { PayoutMethodDetailsView } from '@/lib/payouts/methods/show';

type PayoutMenuProps = { payout: AdminPayoutView };
type Open = 'approve' | 'paid' | 'failed' | 'cancel' | null;

/** What recording a failure does, in the states in which it is possible. */
const failures: Partial<Record<PayoutState, { label: string; title: string; done: string }>> = {
  requested: { label: 'Decline', title: 'Decline this payout?', done: 'Payout declined.' },
  approved: { label: 'Mark as failed', title: 'Mark this payout as failed?', done: 'Payout marked as failed.' },
  sent: { label: 'Mark as failed', title: 'Mark this payout as failed?', done: 'Payout marked as failed.' },
  paid: { label: 'Mark as returned', title: 'Was this payout returned?', done: 'Payout marked as returned.' },
};

/**
 * The actions for a payout. Of a payout that is over, or that PayPal processes, only the method can be viewed, and an
 * unclaimed one canceled.
 */
export function PayoutMenu({ payout }: PayoutMenuProps) {
  const router = useRouter();
  const [open, setOpen] = useState<Open>(null);
  const [method, setMethod] = useState<PayoutMethodDetailsView | null>(null);
  const { id, state, sellerEmail, amountCents, feeCents, version } = payout;
  const failure = payout.isAtProvider ? undefined : failures[state];
  const isUnclaimed = state === 'sent' && payout.providerStatus === 'UNCLAIMED';
  const money = formatMoney(amountCents - feeCents, walletCurrency);
  const change = async (step: 'approve' | 'paid' | 'failed' | 'cancel', body?: object) => {
    const after = await apiFetch<AdminPayoutView>(`/api/admin/payouts/${id}/${step}`, { method: 'POST', body });
    router.refresh();
    return after;
  };
  const viewMethod = async () => {
    try {
      setMethod(await apiFetch<PayoutMethodDetailsView>(`/api/admin/payouts/${id}/method`));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      toast.error(thrown.message || 'The payout method couldn’t be loaded. Please try again.');
    }
  };
  const close = (isOpen: boolean) => !isOpen && setOpen(null);
  return (
    <>
      <RowMenu name={`the payout to ${sellerEmail}`}>
        {state === 'requested' ? (
          <MenuItem icon={<Check className="size-4" />} onSelect={() => setOpen('approve')}>
            Approve
          </MenuItem>
        ) : null}
        {failure && (state === 'approved' || state === 'sent') ? (
          <MenuItem icon={<CircleCheck className="size-4" />} onSelect={() => setOpen('paid')}>
            Mark as paid
          </MenuItem>
        ) : null}
        <MenuItem icon={<Eye className="size-4" />} onSelect={viewMethod}>
          View payout method
        </MenuItem>
        {failure ? (
          <MenuItem icon={<Ban className="size-4" />} tone="danger" onSelect={() => setOpen('failed')}>
            {failure.label}
          </MenuItem>
        ) : null}
        {isUnclaimed ? (
          <MenuItem icon={<Ban className="size-4" />} tone="danger" onSelect={() => setOpen('cancel')}>
            Cancel at PayPal
          </MenuItem>
        ) : null}
      </RowMenu>
      <MethodDetailsDialog method={method} sellerEmail={sellerEmail} onClose={() => setMethod(null)} />
      <ConfirmDialog
        open={open === 'approve'}
        onOpenChange={close}
        title={`Approve ${money} to ${sellerEmail}?`}
        description="The seller can no longer withdraw it."
        confirmLabel={`Approve ${money}`}
        tone="primary"
        onConfirm={async () => {
          const after = await change('approve', { version });
          if (after.state === 'approved') toast.success('Payout approved.');
          else toast.info('Approved. The amount needs the approval of a second person.');
        }}
      />
      <ConfirmDialog
        open={open === 'cancel'}
        onOpenChange={close}
        title={`Cancel ${money} to ${sellerEmail}?`}
        description={`The recipient has not claimed it. ${formatMoney(amountCents, walletCurrency)} returns to the seller’s balance.`}
        confirmLabel="Cancel the payout"
        cancelLabel="Keep"
        onConfirm={async () => {
          await change('cancel');
          toast.success('Payout canceled at PayPal.');
        }}
      />
      <Dialog
        open={open === 'paid'}
        onOpenChange={close}
        title={`Mark ${money} as paid`}
        description={`To ${sellerEmail}. The seller is notified.`}
        size="sm"
      >
        <PaidForm
          submit={(reference) => change('paid', { reference })}
          onDone={() => {
            setOpen(null);
            toast.success('Payout marked as paid.');
          }}
        />
      </Dialog>
      {failure ? (
        <Dialog
          open={open === 'failed'}
          onOpenChange={close}
          title={failure.title}
          description={`${formatMoney(amountCents, walletCurrency)} returns to the balance of ${sellerEmail}.`}
          size="sm"
        >
          <FailedForm
            submitLabel={failure.label}
            submit={(reason) => change('failed', { reason })}
            onDone={() => {
              setOpen(null);
              toast.success(failure.done);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}

type FormProps = { submit: (text: string) => Promise<unknown>; onDone: () => void };

function PaidForm({ submit, onDone }: FormProps) {
  const form = useApiForm({
    submit: (data) => submit(getFormText(data, 'reference')),
    onSuccess: onDone,
    fallback: () => 'The payout couldn’t be saved. Please try again.',
  });
  return (
    <DialogForm form={form} submitLabel="Mark as paid">
      <TextField
        name="reference"
        label="Reference"
        hint="Optional. The seller finds the payment by it."
        autoComplete="off"
        maxLength={200}
        error={form.fields.reference}
      />
    </DialogForm>
  );
}

function FailedForm({ submit, onDone, submitLabel }: FormProps & { submitLabel: string }) {
  const form = useApiForm({
    submit: (data) => submit(getFormText(data, 'reason')),
    onSuccess: onDone,
    fallback: () => 'The payout couldn’t be saved. Please try again.',
  });
  return (
    <DialogForm form={form} submitLabel={submitLabel}>
      <TextField
        name="reason"
        label="Reason"
        hint="The seller reads it."
        autoComplete="off"
        maxLength={500}
        required
        error={form.fields.reason}
      />
    </DialogForm>
  );
}

type MethodDetailsDialogProps = {
  /** Null while the dialog is closed. */
  method: PayoutMethodDetailsView | null;
  sellerEmail: string;
  onClose: () => void;
};

/** The details of a payout method, by which staff pay it by hand. */
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
  const given = facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
  return method.text ? [...given, ['Agreement', <AgreementText key="text" text={method.text} />]] : given;
}

function AgreementText({ text }: { text: string }) {
  return <span className="whitespace-pre-line">{text}</span>;
}
