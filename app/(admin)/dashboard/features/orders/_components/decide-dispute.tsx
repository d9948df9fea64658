'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, TextareaField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { FactList } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { Money } from '@/components/ui/money';
import { apiFetch } from '@/lib/browser/api-client';
import { parsePercent, splitSettlement } from '@/lib/orders/placements/shares';

type DecideDisputeProps = {
  dispute: { id: string; orderId: number; version: number };
  /** The shares of the charge, in USD cents. */
  shares: { sellerCents: number; marginCents: number; ripenedCents: number };
};

/** Decides a dispute by the share that returns to the buyer, with a preview of who receives how much. */
export function DecideDispute({ dispute, shares }: DecideDisputeProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={<Button variant="primary">Decide</Button>}
      open={open}
      onOpenChange={setOpen}
      title={`Decide the dispute of order #${dispute.orderId}`}
      description="The decision settles the order and cannot be undone."
      size="md"
    >
      <DecisionForm dispute={dispute} shares={shares} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function DecisionForm({ dispute, shares, onDone }: DecideDisputeProps & { onDone: () => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState('50');
  const percent = parsePercent(typed);
  const form = useApiForm({
    validate: (data): Record<string, string> => ({
      ...(parsePercent(getFormText(data, 'buyerPercent')) === null && {
        buyerPercent: 'Enter a whole number from 0 to 100.',
      }),
      ...(getFormText(data, 'note').trim() === '' && { note: 'Explain the decision.' }),
    }),
    submit: (data) =>
      apiFetch(`/api/admin/disputes/${dispute.id}/decide`, {
        method: 'POST',
        body: {
          buyerPercent: Number(getFormText(data, 'buyerPercent')),
          note: getFormText(data, 'note'),
          version: dispute.version,
        },
      }),
    onSuccess: () => {
      toast.success('Dispute decided.');
      onDone();
      router.refresh();
    },
    fallback: (status) => `The decision couldn’t be saved (HTTP ${status}). Please try again.`,
  });
  return (
    <DialogForm form={form} submitLabel="Decide" className="gap-5">
      <TextField
        name="buyerPercent"
        label="Share that returns to the buyer, in percent"
        required
        type="number"
        min={0}
        max={100}
        step={1}
        inputMode="numeric"
        value={typed}
        error={form.fields.buyerPercent}
        onChange={(event) => setTyped(event.target.value)}
        className="max-w-96"
      />
      <div role="status" aria-label="Preview" className="rounded-md border border-line bg-sunken px-3 py-2.5">
        {percent === null ? (
          <p className="text-muted text-sm">Enter a share to see who receives how much.</p>
        ) : (
          <Preview shares={shares} percent={percent} />
        )}
      </div>
      <TextareaField
        name="note"
        label="Reasons"
        required
        maxLength={2000}
        error={form.fields.note}
        hint="Shown to the buyer and the seller. Don’t mention prices or names."
      />
    </DialogForm>
  );
}

function Preview({ shares, percent }: { shares: DecideDisputeProps['shares']; percent: number }) {
  const { buyerCents, sellerCents, marginCents } = splitSettlement(shares, percent);
  return (
    <FactList
      facts={[
        ['Buyer receives', <Money key="buyer" amountMinor={buyerCents} className="font-medium" />],
        ['Seller keeps', <Money key="seller" amountMinor={sellerCents} className="font-medium" />],
        ['You keep', <Money key="margin" amountMinor={marginCents} className="font-medium" />],
        ['Order becomes', buyerCents === shares.sellerCents + shares.marginCents ? 'Refunded' : 'Live'],
      ]}
    />
  );
}
