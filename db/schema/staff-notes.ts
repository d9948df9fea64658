import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, identityColumn } from '@/db/columns';
import { orders } from './orders';
import { users } from './users';

/** A note of staff about a user or an order, which only staff see. Notes are not edited: they are added and deleted. */
export const staffNotes = pgTable(
  'staff_notes',
  {
    id: identityColumn(),
    /** The user or the order that the note is about; the other one is null. */
    userId: text().references(() => users.id),
    orderId: integer().references(() => orders.id),
    authorId: text()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check('staff_notes_subject', sql`num_nonnulls(${table.userId}, ${table.orderId}) = 1`),
    index('staff_notes_user_idx').on(table.userId, table.id).where(sql`user_id is not null`),
    index('staff_notes_order_idx').on(table.orderId, table.id).where(sql`order_id is not null`),
  ],
);

/** A word by which staff sort users and find them. */
export const userTags = pgTable(
  'user_tags',
  {
    userId: text()
      .notNull()
      .references(() => users.id),
    tag: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.tag] }),
    uniqueIndex('user_tags_tag_key').on(table.tag, table.userId),
  ],
);

/** A word by which staff sort orders and find them. */
export const orderTags = pgTable(
  'order_tags',
  {
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    tag: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.tag] }),
    uniqueIndex('order_tags_tag_key').on(table.tag, table.orderId),
  ],
);
