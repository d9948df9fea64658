import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt } from '@/db/columns';

export const backupStatuses = ['running', 'complete', 'failed'] as const;
export type BackupStatus = (typeof backupStatuses)[number];
export const backupOrigins = ['made', 'scheduled', 'uploaded'] as const;

/** An archive of the whole installation, stored in the content store as `backups/<id>`. Archives do not contain this table. */
export const backups = pgTable(
  'backups',
  {
    id: idColumn(),
    fileName: text().notNull(),
    status: text({ enum: backupStatuses }).notNull().default('running'),
    origin: text({ enum: backupOrigins }).notNull(),
    /** Whether the archive contains the delivered files, and not only their records. */
    withFiles: boolean().notNull(),
    /** The written part, in percent. */
    progress: integer().notNull().default(0),
    /** The progress of a check or restore of the archive, in percent; null while there is none. */
    restoreProgress: integer(),
    sizeBytes: bigint({ mode: 'number' }),
    /** SHA-256 of the whole file, in lower-case hex. */
    sha256: text(),
    /** The manifest (lib/backup/manifest.ts); null until the archive is complete. */
    manifest: jsonb().$type<unknown>(),
    /** The reason of a failure, for the user who requested the backup. */
    error: text(),
    /** The email of the user who requested it: a copy, so that it outlives the account. */
    createdBy: text().notNull(),
    createdAt: createdAt(),
    /** Advances while the archive is written; a backup whose time stands still was interrupted. */
    updatedAt: updatedAt(),
    finishedAt: timestamptz(),
  },
  (table) => [index('backups_created_idx').on(table.createdAt)],
);
