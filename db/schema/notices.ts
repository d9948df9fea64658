import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../columns';
import { users } from './users';

/** What somebody else made of a person's site. */
export const noticeKinds = ['site.approved', 'site.rejected', 'site.pending', 'site.removed'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What a person's bell tells, written in the transaction of the change it tells. Read until: `bell_reads`. */
export const notices = pgTable(
  'notices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Whom it concerns. */
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: noticeKinds }).notNull(),
    /** The site's name at that moment. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('notices_user_idx').on(table.userId, table.createdAt)],
);
