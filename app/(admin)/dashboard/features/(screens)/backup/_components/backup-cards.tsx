'use client';

import { DatabaseBackup } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/controls';
import { FileDrop } from '@/components/ui/file-drop';
import { Progress } from '@/components/ui/progress';
import { backupStateAction, createBackupAction } from '@/lib/backup/actions';
import type { BackupView } from '@/lib/backup/schemas';
import { ApiError, callAction, ensureReauthenticated, readAction } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import { backupPath } from './backup-actions';

/** The polling interval while a backup runs, in milliseconds. */
const pollIntervalMs = 500;

type Stage = 'idle' | 'running' | 'complete' | 'failed';

const stages: Record<Stage, { label: string; tone: 'grey' | 'blue' | 'green' | 'red' }> = {
  idle: { label: 'Idle', tone: 'grey' },
  running: { label: 'In progress', tone: 'blue' },
  complete: { label: 'Complete', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
};

/**
 * Starts a backup and displays its progress.
 * @param running the backup in progress, which another user may have started
 */
export function BackupCard({ running }: { running: BackupView | null }) {
  const router = useRouter();
  const [shown, setShown] = useState(running);
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState('');
  const [withFiles, setWithFiles] = useState(true);
  const stage: Stage = starting ? 'running' : (shown?.status ?? 'idle');

  const poll = useCallback(async () => {
    const now = await readAction(backupStateAction({}));
    setShown(now);
    // The list below contains the finished backup. A small backup finishes before the first poll.
    if (now?.status !== 'running') router.refresh();
  }, [router]);

  useEffect(() => {
    if (shown?.status !== 'running') return;
    const timer = setTimeout(async () => {
      try {
        await poll();
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        // The request failed. The backup continues on the server, so poll again.
        setShown({ ...shown });
      }
    }, pollIntervalMs);
    return () => clearTimeout(timer);
  }, [shown, poll]);

  const start = async () => {
    setStarting(true);
    setError('');
    try {
      await callAction(() => createBackupAction({ withFiles }));
      await poll();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The server didn’t respond. Check the list below before you try again.');
    } finally {
      setStarting(false);
    }
  };

  const percent = stage === 'complete' ? 100 : stage === 'idle' ? 0 : (shown?.progress ?? 0);
  return (
    <Card className="h-full">
      <CardHeader
        title="Back up"
        description="Orders and payments continue during the backup."
        actions={
          <span role="status">
            <Badge tone={stages[stage].tone}>{stages[stage].label}</Badge>
          </span>
        }
      />
      <CardBody className="grid gap-4">
        <div className="flex items-center gap-3">
          <Progress value={percent} label="Backup progress" tone={stage === 'failed' ? 'red' : 'accent'} />
          <span className="w-14 shrink-0 whitespace-nowrap text-right text-muted text-sm tabular-nums">
            {percent} %
          </span>
        </div>
        <Checkbox
          checked={withFiles}
          disabled={stage === 'running'}
          onChange={(event) => setWithFiles(event.target.checked)}
          label={
            <>
              <span className="block text-ink">Include delivered files</span>
              <span className="block text-muted text-sm">
                Without them, the archive is smaller, but a new installation restored from it has no order content.
              </span>
            </>
          }
        />
        {error ? <Alert tone="error">{error}</Alert> : null}
        {stage === 'failed' && shown?.error ? <Alert tone="error">{shown.error}</Alert> : null}
        <Button
          variant="primary"
          pending={stage === 'running'}
          onClick={start}
          icon={<DatabaseBackup className="size-4" />}
          className="justify-self-start"
        >
          Start backup
        </Button>
      </CardBody>
    </Card>
  );
}

/** Uploads a backup archive and opens its validation report. */
export function UploadCard() {
  const router = useRouter();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);

  const send = async (file: File | null) => {
    if (!file) return;
    setError('');
    try {
      // Reauthenticates before the upload. Otherwise the server rejects the request and a large file is uploaded twice.
      if (!(await ensureReauthenticated())) return;
      setShare(0);
      const { id } = await sendFile<{ id: string }>(`${backupPath}/upload`, file, { onProgress: setShare });
      router.push(`${backupPath}?restore=${id}`, { scroll: false });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || `Upload failed (HTTP ${cause.status})`);
    } finally {
      setShare(null);
      setRound((count) => count + 1);
    }
  };

  return (
    <Card className="h-full">
      <CardHeader title="Restore" description="The archive is checked before anything changes." />
      <CardBody className="grid content-start gap-4">
        <FileDrop
          key={round}
          prompt="Choose an archive or drop it here"
          limits="An .lmbackup file from this installation, or from one with the same SECRET_KEYS, up to 50 GB"
          accept=".lmbackup,application/octet-stream"
          aria-label="Archive"
          disabled={share !== null}
          onFile={send}
        />
        {share === null ? null : (
          <div role="status" className="grid gap-1.5 text-muted text-sm">
            <Progress value={share * 100} label="Upload progress" />
            {share < 1 ? `Uploading: ${Math.floor(share * 100)} %` : 'Checking the archive…'}
          </div>
        )}
        {error ? <Alert tone="error">{error}</Alert> : null}
      </CardBody>
    </Card>
  );
}
