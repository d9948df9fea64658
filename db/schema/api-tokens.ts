import { sql } from 'drizzle-orm';
import { check, date, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';
import { accounts } from './accounts';
import { users } from './users';

/**
 * API tokens. Only a hash of the secret is stored: read access to this table allows no request. Backups do not contain
 * the table and a restore empties it, as it does with sessions, so that a restore revives no revoked token.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: idColumn(),
    /** The person who created it, as whom it acts. */
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The account it acts for. */
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The name given by the user; the audit log and the access log show it. */
    name: text().notNull(),
    /** SHA-256 in hex. A plain hash suffices, because the secret is 256 random bits, which cannot be guessed. */
    secretHash: text().notNull().unique(),
    /** The last four characters of the secret, by which the user recognizes it. */
    lastFour: text().notNull(),
    /** Scopes and names of permissions (lib/access/token-scopes.ts). */
    scopes: text().array().notNull(),
    /** Null: until it is revoked. */
    expiresAt: timestamptz(),
    /** Addresses and CIDR ranges that may use the token; empty for all. */
    allowedIps: text().array().notNull().default([]),
    /** The most that orders by this token may cost in a UTC day, in USD cents; null for no limit. */
    dailyLimitCents: minorUnits(),
    /** The UTC day that `spentCents` counts. */
    spentOn: date(),
    /** What orders by this token cost on `spentOn`, in USD cents. */
    spentCents: minorUnits().notNull().default(0),
    createdAt: createdAt(),
    /** Updated at most once per minute. */
    lastUsedAt: timestamptz(),
    lastUsedIp: text().notNull().default(''),
    revokedAt: timestamptz(),
  },
  (table) => [
    index('api_tokens_user_idx').on(table.userId),
    index('api_tokens_account_idx').on(table.accountId),
    index('api_tokens_revoked_idx').on(table.revokedAt).where(sql`revoked_at is not null`),
    index('api_tokens_expires_idx').on(table.expiresAt).where(sql`expires_at is not null`),
    check('api_tokens_limit_check', sql`${table.dailyLimitCents} >= 0 and ${table.spentCents} >= 0`),
  ],
);
