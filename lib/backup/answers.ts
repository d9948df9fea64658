import { z } from 'zod';

/** POST /dashboard/features/backup/upload. */
export const uploadedBackupAnswer = z.object({ id: z.string() });
