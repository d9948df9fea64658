'use client';

import { useRouter } from 'next/navigation';
import { DeleteRecord } from '@/components/table/delete-record';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
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
  };
  return (
    <DeleteRecord
      remove={remove}
      noun="order"
      name={`Order #${id}`}
      question={`Delete order #${id}? This cannot be undone.`}
      consequence="It leaves every list, the buyer’s too. No money moves: refund it first if the buyer shall get it back."
      onDeleted={onDeleted}
    />
  );
}
