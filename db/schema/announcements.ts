import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { announcementAudiences, announcementTypes } from '../../lib/notifications/announcements/kinds';
import { createdAt, idColumn, moment, updatedAt, version } from '../columns';

/** What an admin tells many people at once, in their bells. */
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
    /** Taken back: out of every bell. */
    deletedAt: moment(),
  },
  (table) => [index('announcements_created_idx').on(table.createdAt)],
);
