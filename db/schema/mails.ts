import { sql } from 'drizzle-orm';
import { index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz } from '@/db/columns';
import { users } from './users';

/**
 * The outbox: a mail is inserted in the transaction of its cause and sent after the commit, so that no mail is lost and
 * none is sent for a transaction that was rolled back. The id is the provider's idempotency key.
 */
export const mails = pgTable(
  'mails',
  {
    id: idColumn(),
    /** The template: verify-email, reset-password… */
    kind: text().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /**
     * `{html, text}`, and of a mail that waits the path of its page, encrypted and bound to the id
     * (lib/mail/compose.ts). Null once no further attempt is made.
     */
    sealedBody: text(),
    createdAt: createdAt(),
    /**
     * The user whose mail waits to be sent together with others, until `nextAttemptAt` at the latest; null for a mail
     * that may be sent (lib/mail/gather.ts).
     */
    gathersFor: text().references(() => users.id, { onDelete: 'cascade' }),
    /** When a mail that waited was released; null for other mails. */
    releasedAt: timestamptz(),
    /** When its content expires, e.g. with its link; it is not sent later. Null: never. */
    expiresAt: timestamptz(),
    /** The order in a backlog: links that a user waits for, mails to one person, mails to all staff of a permission. */
    priority: smallint().notNull().default(2),
    attempts: integer().notNull().default(0),
    /** The provider forgets an idempotency key a day after its first use; a later attempt could send the mail twice. */
    firstTriedAt: timestamptz(),
    /** When it is due. Each attempt moves it forward, which also keeps other instances from sending it meanwhile. */
    nextAttemptAt: timestamptz().notNull().defaultNow(),
    sentAt: timestamptz(),
    /** Set when no further attempts are made. */
    failedAt: timestamptz(),
    /** The provider's last error. */
    error: text(),
  },
  (table) => [
    // Pending mails are few, whatever the number of sent ones.
    index('mails_due_idx')
      .on(table.nextAttemptAt)
      .where(sql`sent_at is null and failed_at is null and gathers_for is null`),
    // The order in which a backlog is sent (lib/mail/deliver.ts).
    index('mails_queue_idx')
      .on(table.priority, table.nextAttemptAt)
      .where(sql`sent_at is null and failed_at is null and gathers_for is null`),
    index('mails_gather_idx').on(table.nextAttemptAt).where(sql`gathers_for is not null`),
    index('mails_gatherer_idx').on(table.gathersFor, table.kind).where(sql`gathers_for is not null`),
    index('mails_released_idx').on(table.recipient, table.kind, table.releasedAt).where(sql`released_at is not null`),
    index('mails_sent_idx').on(table.sentAt).where(sql`sent_at is not null`),
    index('mails_failed_idx').on(table.failedAt, table.id).where(sql`failed_at is not null`),
  ],
);
