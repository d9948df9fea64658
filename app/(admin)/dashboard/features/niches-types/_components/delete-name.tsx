'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { NameKind } from './name-list';

export function DeleteName({ type, noun, name }: { type: NameKind; noun: string; name: string }) {
  const router = useRouter();
  const remove = async () => {
    try {
      await apiFetch(`/api/niches-types/${type}/${encodeURIComponent(name)}`, { method: 'DELETE' });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const text = `Delete failed (HTTP ${cause.status})`;
      throw new Error(cause.message ? `${text}: ${cause.message}` : text);
    }
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} className="text-red-ink">
          <Trash2 className="size-4" />
        </Button>
      }
      title={`Delete the ${noun} “${name}”?`}
      description="Sites that use it keep it, but it can no longer be chosen."
      confirmLabel={`Delete ${noun}`}
      onConfirm={remove}
    />
  );
}
