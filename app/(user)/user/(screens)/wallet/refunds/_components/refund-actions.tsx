'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { RefundForm } from '@/components/wallet/refund-form';
import { WithdrawRequest } from '@/components/wallet/withdraw-request';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { RefundableTopupView } from '@/lib/payments/reversals/source-refunds/contract';

/** Renders the button and dialog that request a refund of a top-up. */
export function RequestRefund({ topup }: { topup: RefundableTopupView }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const { topupId, provider, amountCents, refundableCents, currency } = topup;
  const name = providerNames[provider];
  return (
    <Dialog
      trigger={
        <Button size="sm" aria-label={`Request a refund of the top-up of ${formatMoney(amountCents, currency)}`}>
          Request refund
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title="Request a refund"
      description={`The money goes back to the card or account that you paid with at ${name}. We review each request; until then the money stays in your wallet.`}
      size="sm"
    >
      <RefundForm
        path="/api/wallet/refund-requests"
        topupId={topupId}
        amountCents={refundableCents}
        amountHint={`At most ${formatMoney(refundableCents, currency)}: what this payment still has, and what your wallet holds.`}
        reason={{ hint: 'Optional. We read it when we review your request.', isRequired: false }}
        submitLabel="Request refund"
        onDone={() => {
          setOpen(false);
          toast.success('Refund requested.');
          router.refresh();
        }}
      />
    </Dialog>
  );
}

export function WithdrawRefund({ id, amount }: { id: string; amount: string }) {
  return (
    <WithdrawRequest
      path={`/api/wallet/refund-requests/${id}`}
      subject="refund"
      amount={amount}
      word="request"
      consequence="The money stays in your wallet, and you can request the refund again."
    />
  );
}
