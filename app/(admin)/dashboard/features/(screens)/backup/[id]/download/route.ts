import { route } from '@/lib/auth/route';
import { openBackup } from '@/lib/backup/queries';
import { backupIdInput } from '@/lib/backup/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const GET = route(
  {
    access: 'ManageBackups',
    recentAuthentication: true,
    summary: 'Downloads an archive.',
    response: { mediaTypes: ['application/octet-stream'] },
    errors: ['not_found', 'conflict', 'provider_failed'],
    params: backupIdInput,
  },
  async ({ actor, params, request }) => attachmentResponse(await openBackup(actor, params.id), request.method),
);
