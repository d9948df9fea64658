import { z } from 'zod';
import { type Manifest, manifestSchema } from './manifest';
import type { BackupRow } from './queries';

/** The maximum size of an archive: 50 GB. */
export const maxArchiveBytes = 50_000_000_000;

export const createBackupInput = z.object({ withFiles: z.boolean() });
export type CreateBackupInput = z.output<typeof createBackupInput>;

/** The id of a backup. An id in another format is not found. */
export const backupIdInput = z.object({ id: z.string().max(64) });
export type BackupIdInput = z.output<typeof backupIdInput>;

/** The response of POST /dashboard/features/backup/upload. */
export const uploadedBackupResponse = z.object({ id: z.string() });

export function backupView(row: BackupRow & { isCutOff?: boolean }) {
  const manifest = readManifest(row.manifest);
  return {
    id: row.id,
    fileName: row.fileName,
    status: row.isCutOff ? ('failed' as const) : row.status,
    origin: row.origin,
    withFiles: row.withFiles,
    progress: row.progress,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    error: row.isCutOff ? 'The server stopped before the backup was complete. Create a new one.' : row.error,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    // When the archive was created, which is before `createdAt` for an uploaded archive.
    madeAt: manifest?.madeAt ?? null,
    // Null for a running or failed backup, and for an unencrypted archive of version 1.
    rows: manifest ? manifest.tables.reduce((sum, { rows }) => sum + rows, 0) : null,
    tables: manifest?.tables.length ?? null,
    files: manifest?.files.count ?? null,
    missingFiles: manifest?.missingFiles ?? 0,
  };
}

/** An archive as the screen lists it, serializable. */
export type BackupView = ReturnType<typeof backupView>;

function readManifest(stored: unknown): Manifest | null {
  return stored === null ? null : (manifestSchema.safeParse(stored).data ?? null);
}
