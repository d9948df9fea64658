import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '@/db/columns';

/**
 * Refused sign-ins of a quarter of an hour, counted by account and network, so that an attack fills neither this table
 * nor the audit log. A job writes each count as one audit line and deletes it.
 */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** The kind, account and network. */
    key: text().primaryKey(),
    kind: text().notNull(),
    /** Null if no account has the email address; the address entered is not stored. */
    userId: text(),
    /** As lib/network/addresses.ts has it. */
    network: text().notNull(),
    count: integer().notNull().default(1),
    /** Whether the first failure already has an audit entry. */
    isRecorded: boolean().notNull().default(false),
    firstAt: createdAt(),
  },
  (table) => [index('sign_in_failures_first_idx').on(table.firstAt)],
);
