'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import { formatMoney, walletCurrency } from '@/lib/money';

/** Withdraws a requested payout, after a confirmation. */
export function WithdrawPayout({ id, amountCents }: { id: string; amountCents: number }) {
  const router = useRouter();
  const amount = formatMoney(amountCents, walletCurrency);
  const withdraw = async () => {
    await apiFetch(`/api/seller/payouts/${id}`, { method: 'DELETE' }).catch(redirectIfSignedOut);
    toast.success('Payout withdrawn.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Withdraw the payout of ${amount}`}>
          Withdraw
        </Button>
      }
      title={`Withdraw the payout of ${amount}?`}
      description="The amount returns to your balance, and you can request it again."
      confirmLabel="Withdraw payout"
      cancelLabel="Keep payout"
      onConfirm={withdraw}
    />
  );
}
