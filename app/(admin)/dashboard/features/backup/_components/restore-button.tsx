'use client';

import { useState } from 'react';
import { restoreBackupAction } from '@/app/(admin)/dashboard/features/backup/actions';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { RestoreProgress } from './restore-progress';

/** A proxy may close the connection of a long restore. */
const connectionLost =
  'The connection was lost. The restore may still be running: when it is complete, all users are signed out. Reload the page in a few minutes.';

type RestoreButtonProps = {
  id: string;
  fileName: string;
  /** Formatted for display. */
  madeAt: string;
};

/** Restores a backup after confirmation. All users, including the current one, must then sign in again. */
export function RestoreButton({ id, fileName, madeAt }: RestoreButtonProps) {
  const [isRestoring, setRestoring] = useState(false);
  const [done, setDone] = useState<{ rows: number; files: number } | null>(null);
  if (done) {
    return (
      <>
        <DialogBody>
          <Alert tone="success">
            Restore complete: {done.rows.toLocaleString('en-US')} rows and {done.files.toLocaleString('en-US')} files of{' '}
            {fileName}. All users were signed out.
          </Alert>
        </DialogBody>
        <DialogFooter>
          <Button variant="primary" onClick={() => window.location.assign('/admin/login')}>
            Sign in again
          </Button>
        </DialogFooter>
      </>
    );
  }
  return (
    <DialogFooter>
      <ConfirmDialog
        trigger={<Button variant="danger">Restore…</Button>}
        title={`Restore ${fileName}?`}
        description={`All data returns to its state on ${madeAt}. Later changes are lost, and all users are signed out.`}
        confirmLabel="Restore"
        onConfirm={async () => {
          setRestoring(true);
          try {
            setDone(await callAction(() => restoreBackupAction({ id })));
          } catch (cause) {
            if (cause instanceof ApiError && cause.status === 0) throw new Error(connectionLost);
            throw cause;
          } finally {
            setRestoring(false);
          }
        }}
      >
        {isRestoring ? <RestoreProgress id={id} text="Restoring. Do not stop the server." /> : null}
      </ConfirmDialog>
    </DialogFooter>
  );
}
