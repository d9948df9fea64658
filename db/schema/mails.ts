import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment } from '../columns';

/**
 * The outbox: a mail is written in the transaction of its cause and sent after the commit, so that there is no mail
 * about what did not happen and none is lost. The id is the provider's idempotency key.
 */
export const mails = pgTable(
  'mails',
  {
    id: idColumn(),
    /** Which template, for the admin's list: verify-email, reset-password… */
    kind: text().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** `{html, text}`, encrypted and bound to the id (lib/mail/sealed-body.ts). Null once no further try is made. */
    sealedBody: text(),
    /** The body in clear, as the version before sealed bodies writes it; empty otherwise. */
    html: text().notNull().default(''),
    text: text().notNull().default(''),
    createdAt: createdAt(),
    /** When what it says is no longer so, e.g. its link's end: it is not sent later. Null: it may come at any time. */
    expiresAt: moment(),
    attempts: integer().notNull().default(0),
    /** The provider forgets an idempotency key a day after its first use; a later try might send it twice. */
    firstTriedAt: moment(),
    /** When it is due; moved forward by each attempt, which also keeps other instances away meanwhile. */
    nextAttemptAt: moment().notNull().defaultNow(),
    sentAt: moment(),
    /** Set when no further attempt is made. */
    failedAt: moment(),
    /** What the provider said last. */
    error: text(),
  },
  (table) => [
    // Those that wait are few, however many were sent.
    index('mails_due_idx').on(table.nextAttemptAt).where(sql`sent_at is null and failed_at is null`),
  ],
);
