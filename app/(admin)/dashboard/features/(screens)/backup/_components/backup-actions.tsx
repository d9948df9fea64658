'use client';

import { useEffect, useState } from 'react';
import { ActionMenu } from '@/components/form/action-menu';
import { downloadProtected } from '@/components/security/protected-download';
import { Alert } from '@/components/ui/alert';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { deleteBackupAction, restoreBackupAction } from '@/lib/backup/actions';
import type { BackupView } from '@/lib/backup/schemas';
import { ApiError, apiFetch, callAction } from '@/lib/browser/api-client';

export const backupPath = '/dashboard/features/backup';

/** Downloads, restores or deletes a backup. A failed backup can only be deleted; a running backup has no actions. */
export function BackupActions({ backup: { id, fileName, status, rows } }: { backup: BackupView }) {
  if (status === 'running') return null;
  const confirm = {
    title: `Delete ${fileName}?`,
    description: 'The archive is removed from the store. This cannot be undone.',
    confirmLabel: 'Delete',
    action: () => callAction(() => deleteBackupAction({ id })),
  };
  if (status === 'failed') {
    const trigger = (
      <IconButton label={`Delete ${fileName}`}>
        <Icon name="trash" />
      </IconButton>
    );
    return <ConfirmAction {...confirm} trigger={trigger} />;
  }
  const download = () => void downloadProtected(`${backupPath}/${id}/download`);
  const restore = { label: 'Restore', icon: <Icon name="rotate-ccw" />, href: `${backupPath}?restore=${id}` };
  return (
    <ActionMenu
      name={fileName}
      actions={[
        { label: 'Download', icon: <Icon name="download" />, onSelect: download },
        ...(rows === null ? [] : [restore]),
        { label: 'Delete', icon: <Icon name="trash" />, tone: 'danger', confirm },
      ]}
    />
  );
}

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

const pollIntervalMs = 1_000;

/** Shows the progress of a check or restore of an archive. */
export function RestoreProgress({ id, text }: { id: string; text: string }) {
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const timer = setInterval(async () => {
      try {
        const state = await apiFetch<{ percent: number | null }>(`/api/backups/${id}/progress`);
        setPercent((shown) => Math.max(shown, state.percent ?? 0));
      } catch (cause) {
        // The operation continues on the server.
        if (!(cause instanceof ApiError)) throw cause;
      }
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div role="status" className="grid gap-1.5 text-muted text-sm">
      <Progress value={percent} label="Progress" />
      {percent > 0 ? `${text} ${percent} %` : text}
    </div>
  );
}
