import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { announcementAudiences, announcementTypes } from '@/db/enums';

/** Messages from an admin to an audience of users, shown in the bell. */
export const announcements = pgTable(
  'announcements',
  {
    id: idColumn(),
    title: text().notNull(),
    message: text().notNull(),
    type: text({ enum: announcementTypes }).notNull(),
    audience: text({ enum: announcementAudiences }).notNull(),
    version: version(),
    createdBy: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Withdrawn: not shown any more. */
    deletedAt: timestamptz(),
  },
  (table) => [index('announcements_created_idx').on(table.createdAt)],
);
