import { z } from 'zod';

/** The maximum size of an archive: 50 GB. */
export const maxArchiveBytes = 50_000_000_000;

export const createBackupInput = z.object({ withFiles: z.boolean() });
export type CreateBackupInput = z.output<typeof createBackupInput>;

/** The id of a backup. An id in another format is not found. */
export const backupIdInput = z.object({ id: z.string().max(64) });
export type BackupIdInput = z.output<typeof backupIdInput>;

/** The response of POST /dashboard/features/backup/upload. */
export const uploadedBackupResponse = z.object({ id: z.string() });
