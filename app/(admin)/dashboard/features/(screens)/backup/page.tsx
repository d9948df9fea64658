import { Suspense } from 'react';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, noValue } from '@/components/table/data-table';
import { RecordDialog, RecordNotFound } from '@/components/table/record-dialog';
import { RecordList } from '@/components/table/record-list';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { FactList } from '@/components/ui/card';
import { DialogBody } from '@/components/ui/dialog';
import { formatBytes } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { checkBackup, type RestoreReport } from '@/lib/backup/check';
import { listBackups } from '@/lib/backup/queries';
import { getBackupSchedule } from '@/lib/backup/schedule';
import { type BackupView, backupView } from '@/lib/backup/schemas';
import { AppError } from '@/lib/errors';
import { describeBackupStore } from '@/lib/platform/storage/store';
import { BackupActions, RestoreButton, RestoreProgress } from './_components/backup-actions';
import { BackupCard, ScheduleCard, UploadCard } from './_components/backup-cards';

const count = (value: number) => value.toLocaleString('en-US');

const books = {
  keep: 'Unchanged: no money has moved since, and the audit log keeps its newer entries.',
  replace: 'Restored from the archive: this installation has none yet.',
};

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const backupColumns: Column<BackupView>[] = [
  {
    header: 'Archive',
    phone: 'title',
    cell: (backup) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere line-clamp-2 text-ink">{backup.fileName}</span>
        <span className="wrap-anywhere block text-muted text-xs">
          {contents(backup)} · {who(backup)}
        </span>
      </span>
    ),
    className: 'w-1/2 min-w-56',
  },
  {
    header: 'Created',
    cell: (backup) => <TimeAgo at={backup.madeAt ?? backup.createdAt} className="whitespace-nowrap text-muted" />,
  },
  {
    header: 'Size',
    align: 'right',
    cell: (backup) => (backup.sizeBytes === null ? noValue : formatBytes(backup.sizeBytes)),
    className: 'whitespace-nowrap',
  },
  { header: 'Status', phone: 'end', cell: (backup) => <BackupStatus backup={backup} /> },
  actionsColumn((backup) => <BackupActions backup={backup} />),
];

const who = ({ createdBy, origin }: BackupView) =>
  origin === 'scheduled' ? 'scheduled' : `${origin === 'uploaded' ? 'uploaded by' : 'by'} ${createdBy}`;

const pathname = '/dashboard/features/backup';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function BackupPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageBackups');
  const params = await searchParams;
  const [rows, schedule] = await Promise.all([listBackups(), getBackupSchedule()]);
  const backups = rows.map(backupView);
  return (
    <>
      <RecordList
        {...texts}
        caption="Past backups"
        columns={backupColumns}
        rows={backups}
        rowKey={(backup) => backup.id}
        dialog="restore"
        pathname={pathname}
        searchParams={params}
        empty={{
          icon: <Icon name="database-backup" />,
          title: 'No backups yet',
          children: 'Completed backups appear here. Keep a copy in another place as well.',
        }}
      >
        <div className="mb-6 grid gap-4 lg:grid-cols-2">
          <BackupCard running={backups.find(({ status }) => status === 'running') ?? null} />
          <UploadCard />
          <ScheduleCard state={schedule} store={describeBackupStore()} />
        </div>
        <h2 className="mb-3 text-base text-ink">Past backups</h2>
      </RecordList>
      <RestoreDialog actor={actor} id={oneParam(params, 'restore')} backups={backups} />
    </>
  );
}

/** Formats "public.site_imports" as "Site imports". */
function tableLabel(name: string): string {
  const words = (name.split('.').at(-1) ?? name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function contents({ rows, files, withFiles, error }: BackupView): string {
  if (error) return error;
  if (rows === null) return 'In progress';
  const held = `${rows.toLocaleString('en-US')} rows`;
  return withFiles ? `${held}, ${(files ?? 0).toLocaleString('en-US')} delivered files` : `${held}, no delivered files`;
}

function BackupStatus({ backup: { status, progress } }: { backup: BackupView }) {
  if (status === 'complete') return <Badge tone="green">Complete</Badge>;
  return status === 'failed' ? <Badge tone="red">Failed</Badge> : <Badge tone="blue">In progress, {progress} %</Badge>;
}

type RestoreDialogProps = {
  actor: Actor;
  /** The URL parameter as received; '' if absent. */
  id: string;
  backups: BackupView[];
};

/** Displays the validation report of the archive in the URL, and the button to restore it. */
function RestoreDialog({ actor, id, backups }: RestoreDialogProps) {
  if (id === '') return null;
  const backup = backups.find((known) => known.id === id && known.status === 'complete');
  if (!backup)
    return (
      <RecordNotFound
        key={id}
        title="Backup not found"
        text="This backup does not exist, was deleted, or is not complete."
        closeHref={pathname}
      />
    );
  return (
    <RecordDialog key={id} title="Restore a backup" description={backup.fileName} closeHref={pathname}>
      <Suspense
        fallback={
          <DialogBody>
            <RestoreProgress id={backup.id} text="Reading the archive and comparing it with the current data…" />
          </DialogBody>
        }
      >
        <Check actor={actor} backup={backup} />
      </Suspense>
    </RecordDialog>
  );
}

async function Check({ actor, backup }: { actor: Actor; backup: BackupView }) {
  const report = await checkBackup(actor, { id: backup.id }).catch((thrown: unknown) => {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  });
  if (report instanceof AppError) {
    return (
      <DialogBody>
        <Alert tone="error">{report.message}</Alert>
      </DialogBody>
    );
  }
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <CheckReport report={report} />
      </DialogBody>
      {report.refusal === null ? (
        <RestoreButton
          id={backup.id}
          fileName={backup.fileName}
          madeAt={`${moment.format(new Date(report.madeAt))} UTC`}
        />
      ) : null}
    </>
  );
}

/** Displays whether an archive is compatible with this installation, and what a restore would change. */
function CheckReport({ report }: { report: RestoreReport }) {
  const { refusal, madeAt, madeBy, books: mode, changes, unchanged, files, missingFiles } = report;
  return (
    <>
      {refusal === null ? (
        <Alert tone="success">
          The archive is complete, was encrypted with a key of this installation, and is compatible with it.
        </Alert>
      ) : (
        <Alert tone="error">{refusal}</Alert>
      )}
      <FactList
        facts={[
          ['Created', <TimeAgo key="made" at={madeAt} />],
          ['Created by', madeBy],
          ['Delivered files', files === 0 ? 'None in the archive' : count(files)],
          ...(mode ? [['Books and audit log', books[mode]] satisfies [string, string]] : []),
        ]}
      />
      {missingFiles > 0 ? (
        <Alert tone="warning">
          {count(missingFiles)} delivered files were missing from the store when this backup was created and aren’t
          included.
        </Alert>
      ) : null}
      {refusal === null && changes.length === 0 ? <p className="text-muted">No changes.</p> : null}
      {changes.length > 0 ? (
        <div className="rounded-lg border border-line">
          <table className="w-full text-sm">
            <caption className="sr-only">Changes</caption>
            <thead className="text-left text-muted text-xs">
              <tr>
                <th scope="col" className="px-3 py-2">
                  Table
                </th>
                <th scope="col" className="px-3 py-2 text-right">
                  Rows now
                </th>
                <th scope="col" className="px-3 py-2 text-right">
                  Rows after
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, rowsNow, rowsThen }) => (
                <tr key={name} className="border-line border-t">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    {tableLabel(name)}
                  </th>
                  <td className="px-3 py-1.5 text-right">{count(rowsNow)}</td>
                  <td className="px-3 py-1.5 text-right text-ink">{count(rowsThen)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="border-line border-t px-3 py-2 text-muted text-xs">
            {count(unchanged)} other tables are unchanged.
          </p>
        </div>
      ) : null}
    </>
  );
}
