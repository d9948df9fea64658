'use client';

import { useRouter } from 'next/navigation';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { callAction } from '@/lib/http/call-action';
import { deleteBackupAction } from '../actions';

export function DeleteBackup({ id, fileName }: { id: string; fileName: string }) {
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <IconButton label={`Delete ${fileName}`}>
          <span aria-hidden="true" className="icon-trash size-4" />
        </IconButton>
      }
      title={`Delete ${fileName}?`}
      description="The archive is removed from the store. This cannot be undone."
      confirmLabel="Delete"
      onConfirm={async () => {
        await callAction(() => deleteBackupAction({ id }));
        router.refresh();
      }}
    />
  );
}
