import { z } from 'zod';

/** The largest archive that is read: 50 GB. */
export const maxArchiveBytes = 50_000_000_000;

export const makeBackupInput = z.object({ withFiles: z.boolean() });
export type MakeBackupInput = z.output<typeof makeBackupInput>;

export const backupIdInput = z.object({ id: z.string().regex(/^[0-9a-z]{26}$/, 'This is no backup.') });
export type BackupIdInput = z.output<typeof backupIdInput>;
