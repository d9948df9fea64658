'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader, FactList } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/controls';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { TimeAgo } from '@/components/ui/time-ago';
import { backupStateAction, createBackupAction, saveBackupScheduleAction } from '@/lib/backup/actions';
import type { BackupScheduleState } from '@/lib/backup/schedule';
import type { BackupView } from '@/lib/backup/schemas';
import { ApiError, callAction, ensureReauthenticated, readAction } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import { backupPath } from './backup-actions';

/** The polling interval while a backup runs, in milliseconds. */
const pollIntervalMs = 500;

/** What the progress bar of a running backup shows at least: 10 % more after each poll, because writing comes in leaps. */
const floorStep = 10;
const maxFloor = 90;

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
  const [floor, setFloor] = useState(0);
  const stage: Stage = starting ? 'running' : (shown?.status ?? 'idle');

  const poll = useCallback(async () => {
    const now = await readAction(backupStateAction({}));
    setShown(now);
    setFloor((percent) => Math.min(maxFloor, percent + floorStep));
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
    setFloor(0);
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

  const written = shown?.progress ?? 0;
  const percent = { idle: 0, running: Math.max(written, floor), complete: 100, failed: written }[stage];
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
          icon={<Icon name="database-backup" />}
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

const scheduleProblems = {
  failed: 'The last scheduled backup failed. The list below shows the reason.',
  overdue: 'The last scheduled backup was not made. Check that the background jobs run.',
};

type ScheduleCardProps = {
  state: BackupScheduleState;
  /** Describes where archives are stored. */
  store: string;
};

/** Edits when backups are made by themselves, and shows the next and the last one. */
export function ScheduleCard({ state, store }: ScheduleCardProps) {
  const { schedule, version: stored, nextRunAt, lastSuccessAt, problem } = state;
  return (
    <SettingsCard
      className="lg:col-span-2"
      title="Scheduled backups"
      description="Admins receive an email if one fails."
      isUnmarked
      submitLabel="Save schedule"
      version={stored}
      submit={(data, version) =>
        callAction(() =>
          saveBackupScheduleAction({
            isOn: data.has('isOn'),
            withFiles: data.has('withFiles'),
            cron: getFormText(data, 'cron'),
            keep: getFormText(data, 'keep'),
            version,
          }),
        )
      }
      failure="The schedule couldn’t be saved. Please try again."
      fields={[
        {
          columns: 'sm:grid-cols-2',
          fields: [
            {
              name: 'cron',
              label: 'Time, as a cron expression in UTC',
              required: true,
              defaultValue: schedule.cron,
              hint: '“30 3 * * *” is every day at 3:30, “0 4 * * 0” every Sunday at 4:00.',
            },
            {
              name: 'keep',
              label: 'Archives to keep',
              required: true,
              type: 'number',
              min: 1,
              max: 365,
              defaultValue: schedule.keep,
              hint: '1 to 365. Older scheduled archives are deleted. Archives that you start or upload are kept.',
            },
          ],
        },
      ]}
    >
      {() => (
        <>
          {problem ? <Alert tone="error">{scheduleProblems[problem]}</Alert> : null}
          <FactList
            facts={[
              ['Next backup', nextRunAt ? <TimeAgo key="next" at={nextRunAt} /> : 'Not scheduled'],
              ['Last successful backup', lastSuccessAt ? <TimeAgo key="last" at={lastSuccessAt} /> : 'None'],
              ['Stored in', store],
            ]}
          />
          <Checkbox name="isOn" defaultChecked={schedule.isOn} label="Make backups on schedule" />
          <Checkbox name="withFiles" defaultChecked={schedule.withFiles} label="Include delivered files" />
        </>
      )}
    </SettingsCard>
  );
}
