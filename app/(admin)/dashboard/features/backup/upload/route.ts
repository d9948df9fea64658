import { uploadedBackupAnswer } from '@/lib/backup/answers';
import { receiveBackup } from '@/lib/backup/receive';
import { maxArchiveBytes } from '@/lib/backup/schemas';
import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';

/** An archive that was downloaded earlier; read to its end before it is listed. */
export const POST = route(
  {
    access: 'ManageBackups',
    recentAuthentication: true,
    summary: 'Puts an archive that was downloaded earlier onto the list.',
    answer: uploadedBackupAnswer,
    errors: ['provider_failed'],
    upload: { field: 'file', maxBytes: maxArchiveBytes },
  },
  ({ actor, request }) =>
    receiveFile(request, { field: 'file', maxBytes: maxArchiveBytes }, (file, name) =>
      receiveBackup(actor, file, name),
    ),
);
