import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz } from '@/db/columns';
import { users } from './users';

export const emailTokenPurposes = ['verify-email', 'reset-password', 'change-email', 'invite', 'telegram'] as const;
export type EmailTokenPurpose = (typeof emailTokenPurposes)[number];

/**
 * A link sent by mail, or to Telegram. Only the hash of its secret is stored, so that read access to this table opens
 * no account.
 */
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
    /** For change-email: the new address of the account, once it is confirmed. */
    newEmail: text(),
    createdAt: createdAt(),
    expiresAt: timestamptz().notNull(),
    /** When the token was used or superseded by a newer one. */
    usedAt: timestamptz(),
  },
  (table) => [
    index('email_tokens_user_idx').on(table.userId, table.purpose),
    index('email_tokens_used_idx').on(table.usedAt).where(sql`used_at is not null`),
    index('email_tokens_expires_idx').on(table.expiresAt),
  ],
);
