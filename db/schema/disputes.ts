import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { orders } from './orders';
import { placementRoles, placementStates } from './placements';
import { users } from './users';

export const disputeStates = ['open', 'settled', 'withdrawn'] as const;
/** How a dispute ended: both agreed, one side did not answer in time, staff decided, or its opener withdrew it. */
export const disputeOutcomes = ['agreed', 'silence', 'decided', 'withdrawn'] as const;

/** A disagreement about a placement. At most one of an order is open. */
export const disputes = pgTable(
  'disputes',
  {
    id: idColumn(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    openedBy: text()
      .notNull()
      .references(() => users.id),
    /** The side that opened it. */
    role: text({ enum: placementRoles }).notNull(),
    reason: text().notNull(),
    text: text().notNull().default(''),
    state: text({ enum: disputeStates }).notNull().default('open'),
    /** The placement's state before the dispute. */
    fromState: text({ enum: placementStates }).notNull(),
    /** The disputed amount, in USD cents: the charge less what was returned before. */
    amountCents: minorUnits().notNull(),
    outcome: text({ enum: disputeOutcomes }),
    /** The share of the charge that was returned to the buyer, in percent; null while open. */
    buyerPercent: integer(),
    returnedCents: minorUnits(),
    decidedBy: text().references(() => users.id),
    note: text().notNull().default(''),
    decidedAt: timestamptz(),
    /** When the newest proposal counts as accepted by the other side; null without a proposal. */
    silenceDueAt: timestamptz(),
    /** When the job must look at the dispute next: the end of the silence, or the next attempt; null for none. */
    nextActionAt: timestamptz(),
    /** Failed attempts of the job since the newest proposal. */
    clockRetries: integer().notNull().default(0),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('disputes_open_key').on(table.orderId).where(sql`state = 'open'`),
    index('disputes_order_idx').on(table.orderId),
    // The staff's list: open disputes, then ended ones, each in order of their time (the id) or of their amount.
    index('disputes_open_idx').on(table.id).where(sql`state = 'open'`),
    index('disputes_open_amount_idx').on(table.amountCents, table.id).where(sql`state = 'open'`),
    index('disputes_ended_idx').on(table.id).where(sql`state <> 'open'`),
    index('disputes_ended_amount_idx').on(table.amountCents, table.id).where(sql`state <> 'open'`),
    index('disputes_ended_reason_idx').on(table.reason, table.id).where(sql`state <> 'open'`),
    index('disputes_ended_role_idx').on(table.role, table.id).where(sql`state <> 'open'`),
    index('disputes_next_action_idx').on(table.nextActionAt).where(sql`next_action_at is not null`),
  ],
);

/** A proposal of one side to end a dispute with a share for the buyer. */
export const disputeProposals = pgTable(
  'dispute_proposals',
  {
    id: idColumn(),
    disputeId: text()
      .notNull()
      .references(() => disputes.id),
    /** 1 for the first proposal of a dispute. */
    number: integer().notNull(),
    madeBy: text()
      .notNull()
      .references(() => users.id),
    role: text({ enum: placementRoles }).notNull(),
    /** The share of the charge that returns to the buyer: 0 to 100. */
    buyerPercent: integer().notNull(),
    acceptedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('dispute_proposals_number_key').on(table.disputeId, table.number)],
);
