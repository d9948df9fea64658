import { openBackup } from '@/lib/backup/open';
import { backupIdInput } from '@/lib/backup/schemas';
import { attachmentResponse } from '@/lib/content/attachment-response';
import { route } from '@/lib/http/route';

export const GET = route(
  {
    access: 'ManageBackups',
    recentAuthentication: true,
    summary: 'An archive.',
    answer: { mediaTypes: ['application/octet-stream'] },
    errors: ['not_found', 'conflict', 'provider_failed'],
    params: backupIdInput,
  },
  async ({ actor, params, request }) => attachmentResponse(await openBackup(actor, params.id), request.method),
);
