import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../columns';
import { users } from './users';

/** What was made of a seller's site; and, for staff, a payment that a buyer disputes. */
export const noticeKinds = [
  'site.approved',
  'site.rejected',
  'site.pending',
  'site.removed',
  'payment.disputed',
] as const;
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
    /** The site's name at that moment; of a disputed payment, the amount and the provider. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('notices_user_idx').on(table.userId, table.createdAt)],
);
