'use client';

import { useRouter } from 'next/navigation';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { ApiError, apiFetch } from '@/lib/http/client';
import type { AdminOrderView } from '@/lib/orders/views';

type DeleteOrderProps = { order: Pick<AdminOrderView, 'id' | 'version'>; onDeleted: () => void };

export function DeleteOrder({ order: { id, version }, onDeleted }: DeleteOrderProps) {
  const router = useRouter();
  const remove = async () => {
    try {
      await apiFetch(`/api/admin/orders/${id}?version=${version}`, { method: 'DELETE' });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // What somebody else made of it shows behind the question.
      if (cause.status === 409) router.refresh();
      throw new Error(cause.message || 'Failed to delete order');
    }
    toast.success(`Order #${id} deleted.`);
    onDeleted();
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          className="mr-auto text-red-ink"
          icon={<span aria-hidden="true" className="icon-trash size-4" />}
        >
          <span className="max-sm:sr-only">Delete</span>
        </Button>
      }
      title={`Delete order #${id}? This cannot be undone.`}
      description="It leaves every list, the buyer’s too. No money moves: refund it first if the buyer shall get it back."
      confirmLabel="Delete order"
      onConfirm={remove}
    />
  );
}
