'use client';

import { Download, RotateCcw, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { deleteBackupAction } from '@/app/(admin)/dashboard/features/backup/actions';
import { downloadProtected } from '@/components/security/protected-download';
import { RowMenu } from '@/components/table/record-actions';
import { IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { MenuItem, MenuLink } from '@/components/ui/menu';
import type { BackupView } from '@/lib/backup/views';
import { callAction } from '@/lib/browser/call-action';
import { backupPath } from './page-texts';

/** Downloads, restores or deletes a backup. A failed backup can only be deleted; a running backup has no actions. */
export function BackupActions({ backup: { id, fileName, status, rows } }: { backup: BackupView }) {
  const router = useRouter();
  const [isConfirming, setConfirming] = useState(false);
  if (status === 'running') return null;
  const confirmDelete = () => setConfirming(true);
  return (
    <>
      {status === 'complete' ? (
        <RowMenu name={fileName}>
          <MenuItem
            icon={<Download className="size-4" />}
            onSelect={() => void downloadProtected(`${backupPath}/${id}/download`)}
          >
            Download
          </MenuItem>
          {rows === null ? null : (
            <MenuLink href={`${backupPath}?restore=${id}`} scroll={false} icon={<RotateCcw className="size-4" />}>
              Restore
            </MenuLink>
          )}
          <MenuItem icon={<Trash2 className="size-4" />} tone="danger" onSelect={confirmDelete}>
            Delete
          </MenuItem>
        </RowMenu>
      ) : (
        <IconButton label={`Delete ${fileName}`} aria-haspopup="dialog" onClick={confirmDelete}>
          <Trash2 className="size-4" />
        </IconButton>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Delete ${fileName}?`}
        description="The archive is removed from the store. This cannot be undone."
        confirmLabel="Delete"
        onConfirm={async () => {
          await callAction(() => deleteBackupAction({ id }));
          router.refresh();
        }}
      />
    </>
  );
}
