import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment, updatedAt } from '../columns';

export const backupStatuses = ['running', 'complete', 'failed'] as const;
export type BackupStatus = (typeof backupStatuses)[number];
export const backupOrigins = ['made', 'uploaded'] as const;

/** An archive of the whole installation. It lies in the content store as `backups/<id>`; no archive holds this table. */
export const backups = pgTable(
  'backups',
  {
    id: idColumn(),
    fileName: text().notNull(),
    status: text({ enum: backupStatuses }).notNull().default('running'),
    origin: text({ enum: backupOrigins }).notNull(),
    /** Whether it holds the delivered files, not only what the database says of them. */
    withFiles: boolean().notNull(),
    /** How much of it is written, in percent. */
    progress: integer().notNull().default(0),
    sizeBytes: bigint({ mode: 'number' }),
    /** Of the whole file, in lower-case hex. */
    sha256: text(),
    /** Its manifest (lib/backup/manifest.ts); null until it is complete. */
    manifest: jsonb().$type<unknown>(),
    /** Why it failed, for the person who asked for it. */
    error: text(),
    /** The e-mail of who asked for it: a copy, so that it outlives the account. */
    createdBy: text().notNull(),
    createdAt: createdAt(),
    /** Moves on while it is written; one that stands still was cut off. */
    updatedAt: updatedAt(),
    finishedAt: moment(),
  },
  (table) => [index('backups_created_idx').on(table.createdAt)],
);
