import { z } from 'zod';

/** The largest archive that is read: 50 GB. */
export const maxArchiveBytes = 50_000_000_000;

export const makeBackupInput = z.object({ withFiles: z.boolean() });
export type MakeBackupInput = z.output<typeof makeBackupInput>;

/** Which backup; one of another shape is simply not there. */
export const backupIdInput = z.object({ id: z.string().max(64) });
export type BackupIdInput = z.output<typeof backupIdInput>;

/** POST /dashboard/features/backup/upload. */
export const uploadedBackupAnswer = z.object({ id: z.string() });
