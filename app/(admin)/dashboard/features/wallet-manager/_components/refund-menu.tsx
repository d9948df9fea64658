'use client';

import { Ban, Check, RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { RowMenu } from '@/components/table/record-actions';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { MenuItem } from '@/components/ui/menu';
import { apiFetch } from '@/lib/browser/api-client';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { AdminSourceRefundView, StartedRefundView } from '@/lib/payments/reversals/source-refunds/views';
import { announceStartedRefund } from './started-refund';
import { useToastOperation } from './use-toast-operation';

type RefundMenuProps = { refund: AdminSourceRefundView };

/** The actions for a refund that waits for staff or is in progress. A refund that ended has none. */
export function RefundMenu({ refund }: RefundMenuProps) {
  const router = useRouter();
  const [open, setOpen] = useState<'approve' | 'decline' | null>(null);
  const { id, state, userEmail, amountCents, currency, provider, version } = refund;
  const { pending, run } = useToastOperation(() => retryRefund(id));
  if (state !== 'requested' && state !== 'processing') return null;
  const money = formatMoney(amountCents, currency);
  const path = `/api/admin/wallet/refunds/${id}`;
  const close = (isOpen: boolean) => !isOpen && setOpen(null);
  return (
    <>
      <RowMenu name={`the refund of ${money} to ${userEmail}`} pending={pending}>
        {state === 'requested' ? (
          <>
            <MenuItem icon={<Check className="size-4" />} onSelect={() => setOpen('approve')}>
              Approve
            </MenuItem>
            <MenuItem icon={<Ban className="size-4" />} tone="danger" onSelect={() => setOpen('decline')}>
              Decline
            </MenuItem>
          </>
        ) : (
          <MenuItem icon={<RefreshCw className="size-4" />} onSelect={() => void run()}>
            Retry now
          </MenuItem>
        )}
      </RowMenu>
      <ConfirmDialog
        open={open === 'approve'}
        onOpenChange={close}
        title={`Refund ${money} to ${userEmail}?`}
        description={`The money leaves the wallet and goes back to the payment method by ${providerNames[provider]}.`}
        confirmLabel={`Refund ${money}`}
        tone="primary"
        onConfirm={async () => {
          announceStartedRefund(
            await apiFetch<StartedRefundView>(`${path}/approve`, { method: 'POST', body: { version } }),
          );
          router.refresh();
        }}
      />
      <Dialog
        open={open === 'decline'}
        onOpenChange={close}
        title="Decline this refund?"
        description={`${money} stays in the wallet of ${userEmail}.`}
        size="sm"
      >
        <DeclineForm
          submit={(reason) => apiFetch(`${path}/decline`, { method: 'POST', body: { reason } })}
          onDone={() => {
            setOpen(null);
            toast.success('Refund declined.');
            router.refresh();
          }}
        />
      </Dialog>
    </>
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

type DeclineFormProps = { submit: (reason: string) => Promise<unknown>; onDone: () => void };

function DeclineForm({ submit, onDone }: DeclineFormProps) {
  const form = useApiForm({
    submit: (data) => submit(getFormText(data, 'reason')),
    onSuccess: onDone,
    fallback: () => 'The refund couldn’t be declined. Please try again.',
  });
  return (
    <DialogForm form={form} submitLabel="Decline">
      <TextField
        name="reason"
        label="Reason"
        hint="The buyer reads it."
        autoComplete="off"
        maxLength={500}
        required
        error={form.fields.reason}
      />
    </DialogForm>
  );
}
