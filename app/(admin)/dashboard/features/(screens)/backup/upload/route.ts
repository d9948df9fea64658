import { route } from '@/lib/auth/route';
import { receiveBackup } from '@/lib/backup/receive';
import { maxArchiveBytes, uploadedBackupResponse } from '@/lib/backup/schemas';
import { receiveFile } from '@/lib/platform/http/receive-file';

/** Uploads a previously downloaded archive. The archive is read completely before it is listed. */
export const POST = route(
  {
    access: 'ManageBackups',
    recentAuthentication: true,
    summary: 'Uploads an archive that was downloaded earlier.',
    response: uploadedBackupResponse,
    errors: ['provider_failed'],
    upload: { field: 'file', maxBytes: maxArchiveBytes },
  },
  ({ actor, request }) =>
    receiveFile(request, { field: 'file', maxBytes: maxArchiveBytes, userId: actor.userId }, (file, name) =>
      receiveBackup(actor, file, name),
    ),
);
