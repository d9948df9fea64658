'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { deleteFailure } from '@/lib/browser/http-failure';

type DeleteRoleProps = { name: string; people: number; onDeleted: () => Promise<void> };

export function DeleteRole({ name, people, onDeleted }: DeleteRoleProps) {
  const router = useRouter();
  const remove = async () => {
    await apiFetch(`/api/acl/roles/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(deleteFailure);
    toast.success(`Role “${name}” deleted.`);
    router.replace('?', { scroll: false });
    await onDeleted();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" icon={<Trash2 className="size-4" />} className="text-red-ink">
          Delete role
        </Button>
      }
      title={`Delete the role “${name}”?`}
      description={
        people > 0 ? 'Users still have this role. Assign them another role first.' : 'This cannot be undone.'
      }
      confirmLabel="Delete role"
      onConfirm={remove}
    />
  );
}
