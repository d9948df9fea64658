import type { Column } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { formatBytes } from '@/components/ui/format-bytes';
import { TimeAgo } from '@/components/ui/time-ago';
import type { BackupView } from '@/lib/backup/views';
import { BackupActions } from './backup-actions';

export const backupColumns: Column<BackupView>[] = [
  {
    key: 'file',
    header: 'Archive',
    cell: (backup) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere block text-ink">{backup.fileName}</span>
        <span className="wrap-anywhere block text-muted text-xs">
          {contents(backup)} · {who(backup)}
        </span>
      </span>
    ),
    className: 'w-1/2 min-w-56',
  },
  {
    key: 'made',
    header: 'Made',
    cell: (backup) => <TimeAgo at={backup.madeAt ?? backup.createdAt} className="whitespace-nowrap text-muted" />,
  },
  {
    key: 'size',
    header: 'Size',
    align: 'right',
    cell: (backup) => (backup.sizeBytes === null ? '–' : formatBytes(backup.sizeBytes)),
    className: 'whitespace-nowrap tabular-nums',
  },
  { key: 'status', header: 'Status', cell: (backup) => <BackupStatus backup={backup} /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (backup) => <BackupActions backup={backup} />,
  },
];

/** One backup on a phone. */
export function BackupLine({ backup }: { backup: BackupView }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <p className="wrap-anywhere font-medium text-ink">{backup.fileName}</p>
        <span className="flex shrink-0 items-center gap-1.5">
          <BackupStatus backup={backup} />
          <BackupActions backup={backup} />
        </span>
      </div>
      <p className="text-muted text-xs">
        <TimeAgo at={backup.madeAt ?? backup.createdAt} /> · {who(backup)}
        {backup.sizeBytes === null ? '' : ` · ${formatBytes(backup.sizeBytes)}`}
      </p>
      <p className="text-muted text-xs">{contents(backup)}</p>
    </div>
  );
}

const who = ({ createdBy, origin }: BackupView) => `${origin === 'uploaded' ? 'uploaded by' : 'by'} ${createdBy}`;

function contents({ status, rows, files, withFiles, error }: BackupView): string {
  if (error) return error;
  if (rows === null) return status === 'complete' ? 'Made by an older version, not encrypted' : 'Being made';
  const held = `${rows.toLocaleString('en-US')} rows`;
  return withFiles ? `${held}, ${(files ?? 0).toLocaleString('en-US')} delivered files` : `${held}, no delivered files`;
}

function BackupStatus({ backup: { status, progress } }: { backup: BackupView }) {
  if (status === 'complete') return <Badge tone="green">Complete</Badge>;
  return status === 'failed' ? <Badge tone="red">Failed</Badge> : <Badge tone="blue">In progress, {progress} %</Badge>;
}
