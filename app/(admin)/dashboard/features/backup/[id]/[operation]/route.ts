import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { getRestoreProgress } from '@/lib/backup/progress';
import { openBackup } from '@/lib/backup/queries';
import { backupIdInput } from '@/lib/backup/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const { GET, POST } = joinRoutes({
  download: {
    GET: route(
      {
        access: 'ManageBackups',
        recentAuthentication: true,
        summary: 'Downloads an archive.',
        response: { mediaTypes: ['application/octet-stream'] },
        errors: ['not_found', 'conflict', 'provider_failed'],
        params: backupIdInput,
      },
      async ({ actor, params, request }) => attachmentResponse(await openBackup(actor, params.id), request.method),
    ),
  },
  progress: {
    /** A route and not a server action, because the browser sends actions one after another: it would wait for the restore. */
    GET: route(
      {
        access: 'ManageBackups',
        scope: 'none',
        summary: 'Returns the progress of a check or restore.',
        response: z.object({ percent: z.int().min(0).max(100).nullable() }),
        errors: ['not_found'],
        params: backupIdInput,
      },
      async ({ params }) => ({ percent: await getRestoreProgress(params.id) }),
    ),
  },
});
