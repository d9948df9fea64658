'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import { leaveIfSignedOut } from '@/lib/http/leave-if-signed-out';
import { withdrawSiteAction } from '../actions';

/** Takes an own site off the marketplace, after asking. */
export function WithdrawSite({ id, name, onWithdrawn }: { id: number; name: string; onWithdrawn: () => void }) {
  const router = useRouter();
  const withdraw = async () => {
    try {
      await callAction(withdrawSiteAction({ id: String(id) })).catch(leaveIfSignedOut);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const text = `Delete failed (HTTP ${cause.status})`;
      throw new Error(cause.message ? `${text}: ${cause.message}` : text);
    }
    toast.success(`${name} withdrawn.`);
    onWithdrawn();
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          className="mr-auto text-red-ink"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
        >
          <span className="max-sm:sr-only">Withdraw</span>
        </Button>
      }
      title={`Withdraw ${name}?`}
      description="Buyers can no longer order it, and it leaves your list. Orders that were placed on it stay."
      confirmLabel="Withdraw site"
      onConfirm={withdraw}
    />
  );
}
