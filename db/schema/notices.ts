import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../columns';
import { users } from './users';

/** The decision on a seller's site; for staff, a disputed payment; for buyers and sellers, a step of a placement. */
export const noticeKinds = [
  'site.approved',
  'site.rejected',
  'site.pending',
  'site.removed',
  'payment.disputed',
  'order.offered',
  'order.accepted',
  'order.declined',
  'order.expired',
  'order.cancelled',
  'order.delivered',
  'order.revision',
  'order.approved',
  'order.extension',
  'order.extension_answered',
  'order.released',
  'order.due',
  'order.late',
  'order.disputed',
  'order.dispute_withdrawn',
  'order.settled',
  'order.taken_over',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Notifications in a user's bell, inserted in the transaction of their cause. `bell_reads` stores when they were read. */
export const notices = pgTable(
  'notices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The recipient. */
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: noticeKinds }).notNull(),
    /** The site's name at that time; for a disputed payment, the amount and the provider; for a placement, its order. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('notices_user_idx').on(table.userId, table.createdAt)],
);
