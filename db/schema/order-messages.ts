import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz } from '@/db/columns';
import { accounts } from './accounts';
import { orders } from './orders';
import { placementRoles } from './placements';
import { users } from './users';

/** A message in the room of an order. Append-only: a trigger refuses updates and deletes. */
export const orderMessages = pgTable(
  'order_messages',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    authorId: text()
      .notNull()
      .references(() => users.id),
    /** The side for which the author wrote. */
    role: text({ enum: placementRoles }).notNull(),
    /** Up to 4,000 characters; empty only with files. */
    text: text().notNull(),
    /** Whether the text contains contact data; shown to staff only. */
    hasContactData: boolean().notNull().default(false),
    /** The author's Idempotency-Key, or null without one. */
    idempotencyKey: text(),
    /** SHA-256 of the request with the key. */
    requestHash: text(),
    at: createdAt(),
  },
  (table) => [
    index('order_messages_order_idx').on(table.orderId, table.id),
    uniqueIndex('order_messages_idempotency_key').on(table.authorId, table.idempotencyKey),
  ],
);

/** A file of a message. */
export const orderMessageFiles = pgTable(
  'order_message_files',
  {
    id: idColumn(),
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => orderMessages.id),
    fileName: text().notNull(),
    mediaType: text().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text().notNull(),
    /** The key in the content store (lib/platform/storage/store.ts). */
    storageKey: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_message_files_message_idx').on(table.messageId),
    uniqueIndex('order_message_files_storage_key').on(table.storageKey),
  ],
);

/** How far a user has read the room of an order, what is unread, and which messages were announced by mail. */
export const messageReads = pgTable(
  'message_reads',
  {
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The newest message that the user has seen; 0 for none. */
    lastMessageId: bigint({ mode: 'number' }).notNull().default(0),
    /** The number of later messages by others. */
    unreadCount: integer().notNull().default(0),
    /** The newest message that was announced by mail; 0 for none. */
    mailedMessageId: bigint({ mode: 'number' }).notNull().default(0),
    /** When unread messages are mailed; null when none wait. */
    mailDueAt: timestamptz(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.accountId] }),
    // The rooms with unread messages of a user.
    index('message_reads_unread_idx').on(table.accountId, table.orderId).where(sql`unread_count > 0`),
    index('message_reads_mail_due_idx').on(table.mailDueAt).where(sql`mail_due_at is not null`),
  ],
);
