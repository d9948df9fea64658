'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { ApiError, apiFetch } from '@/lib/http/client';
import { tickStore } from './tick-store';

export function DeleteSite({ id, name, onDeleted }: { id: number; name: string; onDeleted: () => void }) {
  const router = useRouter();
  const remove = async () => {
    try {
      await apiFetch(`/api/guest-posts/${id}`, { method: 'DELETE' });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const text = `Delete failed (HTTP ${cause.status})`;
      throw new Error(cause.message ? `${text}: ${cause.message}` : text);
    }
    toast.success(`${name} deleted.`);
    tickStore.write(tickStore.read().filter((other) => other !== id));
    onDeleted();
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
          <span className="max-sm:sr-only">Delete</span>
        </Button>
      }
      title={`Delete ${name}?`}
      description="It leaves every list, the seller’s too. Orders that were placed on it stay."
      confirmLabel="Delete site"
      onConfirm={remove}
    />
  );
}
