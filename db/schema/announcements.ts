import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment, updatedAt, version } from '../columns';

export const announcementTypes = ['info', 'success', 'warning', 'danger'] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** Whose bells ring. Staff is everybody who may enter the admin console. */
export const announcementAudiences = ['everyone', 'customers', 'sellers', 'staff'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];

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
