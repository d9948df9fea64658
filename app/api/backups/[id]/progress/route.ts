import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { getRestoreProgress } from '@/lib/backup/progress';
import { backupIdInput } from '@/lib/backup/schemas';

/** A route and not a server action, because the browser sends actions one after another: it would wait for the restore. */
export const GET = route(
  {
    // A restore ends all sessions, also that of the person who waits for it. The percentage is no secret.
    access: 'public',
    summary: 'Returns the progress of a check or restore.',
    response: z.object({ percent: z.int().min(0).max(100).nullable() }),
    errors: ['not_found'],
    params: backupIdInput,
  },
  async ({ params }) => ({ percent: await getRestoreProgress(params.id) }),
);
