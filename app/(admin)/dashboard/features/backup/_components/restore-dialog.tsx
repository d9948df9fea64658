import { Suspense } from 'react';
import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';
import { Spinner } from '@/components/ui/spinner';
import type { Actor } from '@/lib/access/actor';
import { checkBackup } from '@/lib/backup/check';
import type { BackupView } from '@/lib/backup/views';
import { AppError } from '@/lib/errors';
import { CheckReport } from './check-report';
import { RestoreButton } from './restore-button';
import { backupPath } from './words';

type RestoreDialogProps = {
  actor: Actor /** As it stands in the address; '' for none. */;
  id: string;
  backups: BackupView[];
};

/** The check of the archive that the address names, and the way to restore it. */
export function RestoreDialog({ actor, id, backups }: RestoreDialogProps) {
  if (id === '') return null;
  const backup = backups.find((known) => known.id === id && known.status === 'complete');
  if (!backup) {
    return (
      <RecordDialog key={id} title="Backup not found" closeHref={backupPath} size="sm">
        <DialogBody>
          <Alert tone="warning">This backup does not exist, was deleted, or is not complete.</Alert>
        </DialogBody>
      </RecordDialog>
    );
  }
  return (
    <RecordDialog key={id} title="Restore a backup" description={backup.fileName} closeHref={backupPath}>
      <Suspense fallback={<Checking />}>
        <Check actor={actor} backup={backup} />
      </Suspense>
    </RecordDialog>
  );
}

function Checking() {
  return (
    <DialogBody>
      <p role="status" className="flex items-center gap-2.5 text-muted">
        <Spinner className="size-4" />
        The archive is read and compared with what is here…
      </p>
    </DialogBody>
  );
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

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
