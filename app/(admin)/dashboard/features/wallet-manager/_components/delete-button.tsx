'use client';

import { LockKeyhole, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { ApiError, apiFetch } from '@/lib/browser/api-client';

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
  const router = useRouter();
  const label = refusal === null ? `Delete ${what}` : `Why ${what} cannot be deleted`;
  const trigger = (
    <IconButton label={label} className={refusal === null ? 'text-red-ink' : 'text-subtle'}>
      {refusal === null ? <Trash2 className="size-4" /> : <LockKeyhole className="size-3.5" />}
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
    <ConfirmDialog
      trigger={trigger}
      title="Delete this transaction and update the user’s balance?"
      description={`${what} is reversed by a counter-entry, and both are removed from the lists.${isPaidIn ? ` The money itself stays at ${method} as an unmatched payment until you refund it there.` : ''}`}
      confirmLabel="Delete transaction"
      onConfirm={async () => {
        await removeTransaction(id);
        toast.success('Transaction deleted.');
        router.refresh();
      }}
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
