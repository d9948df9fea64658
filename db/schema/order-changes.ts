import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import { linkVerdicts } from './links';
import { orders } from './orders';
import { users } from './users';

export const changeStates = [
  'asked',
  'priced',
  'accepted',
  'delivered',
  'approved',
  'declined',
  'withdrawn',
  'expired',
] as const;
export type ChangeState = (typeof changeStates)[number];

/** The condition for changes that are not over; an order has at most one. */
export const isOpenChange = sql`state in ('asked', 'priced', 'accepted', 'delivered')`;

/**
 * Paid changes of published articles. A change is charged when the seller accepts it (`change:<id>`), which reserves the
 * amount. Its approval adds the amounts to the order's charge and to the shares of the placement; every other end returns
 * what was charged.
 */
export const orderChanges = pgTable(
  'order_changes',
  {
    id: idColumn(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** Copies of the order's buyer and the placement's seller, by which lists are read. */
    buyerId: text()
      .notNull()
      .references(() => accounts.id),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    state: text({ enum: changeStates }).notNull().default('asked'),
    /** What the buyer asks for. */
    text: text().notNull(),
    /** The link after the change; empty keeps the brief's. */
    targetUrl: text().notNull().default(''),
    anchor: text().notNull().default(''),
    /** The price in force, in USD cents: the seller's share and the margin. */
    sellerCents: minorUnits().notNull(),
    marginCents: minorUnits().notNull(),
    /** The tax on the price when the buyer last saw it, in USD cents: with a higher one the buyer is asked again. */
    shownTaxCents: minorUnits().notNull().default(0),
    /** The seller's words about another price, a refusal or the delivery. */
    sellerNote: text().notNull().default(''),
    /** When the amount was reserved; null before. */
    chargedAt: timestamptz(),
    /** When what was charged returned to the buyer; null for never. */
    returnedAt: timestamptz(),
    deliveredAt: timestamptz(),
    /** What the newest check found of the link after the change; null before the delivery. */
    checkVerdict: text({ enum: linkVerdicts }),
    checkReasons: text().array().notNull().default([]),
    /** The anchor text that the check found; empty without a link. */
    checkAnchor: text().notNull().default(''),
    checkedAt: timestamptz(),
    /** When the state ends without an answer: the change expires, or its delivery is approved. Null at the end. */
    dueAt: timestamptz(),
    /** When the job must look at the change next; null while a dispute pauses it, or a delivery waits for its link. */
    nextActionAt: timestamptz(),
    /** Failed attempts of the job since the last step. */
    retries: integer().notNull().default(0),
    endedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('order_changes_order_idx').on(table.orderId),
    uniqueIndex('order_changes_open_key').on(table.orderId).where(isOpenChange),
    index('order_changes_seller_idx').on(table.sellerId, table.orderId).where(isOpenChange),
    index('order_changes_buyer_idx').on(table.buyerId, table.orderId).where(isOpenChange),
    index('order_changes_next_action_idx').on(table.nextActionAt).where(sql`next_action_at is not null`),
    // The figures of the marketplace by day.
    index('order_changes_charged_idx').on(table.chargedAt).where(sql`charged_at is not null`),
    // A proof of the books since the last one (lib/ledger/proof/scope.ts).
    index('order_changes_updated_idx').on(table.updatedAt),
  ],
);
