import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn } from '@/db/columns';
import { accounts } from './accounts';

/**
 * Whose event it is: that of a buyer or a seller, or of the installation. A notice of the bell for a member of the staff
 * names the permission that it needs.
 */
export const eventAudiences = ['buyer', 'seller', 'installation', 'staff'] as const;
export type EventAudience = (typeof eventAudiences)[number];

/**
 * What happened, once for each person concerned and once for the installation, written in the transaction of the change
 * (lib/events/record.ts). Kept for 30 days.
 */
export const events = pgTable(
  'events',
  {
    /** Also the `webhook-id` of every delivery. */
    id: idColumn(),
    /** A key of `eventTypes` (lib/events/types.ts). */
    type: text().notNull(),
    audience: text({ enum: eventAudiences }).notNull(),
    /** The buyer or seller; null for the installation. */
    accountId: text().references(() => accounts.id),
    /** The event's data as its audience may see it. */
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /**
     * The place in the list of events, given after the commit by the job that distributes events: a reader that continues
     * after a position misses no event of a transaction that was still running. Null before.
     */
    position: bigint({ mode: 'number' }),
    createdAt: createdAt(),
  },
  (table) => [
    index('events_new_idx').on(table.createdAt).where(sql`position is null`),
    uniqueIndex('events_position_key').on(table.position),
    index('events_account_idx').on(table.accountId, table.position).where(sql`account_id is not null`),
    index('events_installation_idx').on(table.position).where(sql`account_id is null`),
    index('events_created_idx').on(table.createdAt),
  ],
);
