'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';

/** Withdraws a requested refund, after a confirmation. */
export function WithdrawRefund({ id, amount }: { id: string; amount: string }) {
  const router = useRouter();
  const withdraw = async () => {
    await apiFetch(`/api/wallet/refund-requests/${id}`, { method: 'DELETE' }).catch(redirectIfSignedOut);
    toast.success('Request withdrawn.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Withdraw the refund of ${amount}`}>
          Withdraw
        </Button>
      }
      title={`Withdraw the refund of ${amount}?`}
      description="The money stays in your wallet, and you can request the refund again."
      confirmLabel="Withdraw request"
      cancelLabel="Keep request"
      onConfirm={withdraw}
    />
  );
}
