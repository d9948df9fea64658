'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { RefundForm } from '@/components/wallet/refund-form';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { StartedRefundView } from '@/lib/payments/reversals/source-refunds/views';
import { announceStartedRefund } from './started-refund';

type RefundTopupProps = { topupId: string; amountCents: number; user: string; method: string };

/** The button and dialog that refund a top-up to its payment method. */
export function RefundTopup({ topupId, amountCents, user, method }: RefundTopupProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const money = formatMoney(amountCents, walletCurrency);
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
