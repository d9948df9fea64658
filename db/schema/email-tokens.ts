import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment } from '../columns';
import { users } from './users';

export const emailTokenPurposes = ['verify-email', 'reset-password', 'change-email'] as const;
export type EmailTokenPurpose = (typeof emailTokenPurposes)[number];

/** A link sent by mail. Only the hash of its secret is kept, so that reading this table opens no account. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: emailTokenPurposes }).notNull(),
    /** SHA-256 of the secret, in hex. */
    tokenHash: text().notNull().unique(),
    /** Of change-email: the address that becomes the account's once its mailbox has confirmed it. */
    newEmail: text(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    /** Set when it was used, or made worthless by a newer one. */
    usedAt: moment(),
  },
  (table) => [index('email_tokens_user_idx').on(table.userId, table.purpose)],
);
