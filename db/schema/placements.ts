import { type SQL, sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { linkRels } from '@/db/enums';
import { accounts } from './accounts';
import { orders } from './orders';
import { users } from './users';

export const briefWriters = ['buyer', 'seller'] as const;

/** An article that a buyer uploaded for a brief, before or after the order exists. */
export const briefArticles = pgTable(
  'brief_articles',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** Who uploaded it: a member who sees certain projects uses no other articles than these projects have. */
    uploadedBy: text().references(() => users.id),
    fileName: text().notNull(),
    mediaType: text().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text().notNull(),
    /** The key in the content store (lib/platform/storage/store.ts). */
    storageKey: text().notNull(),
    /** When a brief first named the article; null while no brief does. Such articles are removed after some days. */
    attachedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('brief_articles_storage_key').on(table.storageKey),
    index('brief_articles_unattached_idx').on(table.createdAt).where(sql`attached_at is null`),
    index('brief_articles_account_unattached_idx').on(table.accountId).where(sql`attached_at is null`),
  ],
);

/** What the buyer wants published: one for each order. */
export const orderBriefs = pgTable(
  'order_briefs',
  {
    orderId: integer()
      .primaryKey()
      .references(() => orders.id),
    /** The page that the link leads to; empty if the project's target URL applies. */
    targetUrl: text().notNull().default(''),
    anchor: text().notNull().default(''),
    /** Who writes the article. */
    writer: text({ enum: briefWriters }).notNull().default('seller'),
    /** The requested number of words; null if the site's number applies. */
    words: integer(),
    notes: text().notNull().default(''),
    /** The earliest day of publication, as YYYY-MM-DD; null for any day. */
    notBefore: text(),
    /** The requested `rel` of the link. */
    rel: text({ enum: linkRels }).notNull().default('any'),
    articleId: text().references(() => briefArticles.id),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('order_briefs_article_idx').on(table.articleId).where(sql`article_id is not null`)],
);

export const placementStates = [
  'offered',
  'accepted',
  'delivered',
  'in_revision',
  'disputed',
  'approved',
  'closed',
  'lost',
  'settled',
  'declined',
  'expired',
  'cancelled',
  'taken_over',
] as const;
export type PlacementState = (typeof placementStates)[number];

export const placementRoles = ['buyer', 'seller', 'staff', 'system'] as const;
export type PlacementRole = (typeof placementRoles)[number];

/** The condition for placements whose seller must answer; the index of the answer's due time has it. */
export const isToAnswer = sql`state = 'offered'`;
/** The condition for placements whose seller must publish; the indexes of the due day have it. */
export const isToPublish = sql`state in ('accepted', 'in_revision')`;

/**
 * Builds the condition for a delivery that was not made in time: one came later, the order ended without it, or it is
 * missing. A revision has a due time of its own, which the delivery before it does not meet.
 * @param of the name of the placements
 */
export const isLate = (of: SQL): SQL => sql`(${of}.was_late or coalesce(coalesce(
    case when ${of}.state not in ('accepted', 'in_revision') then ${of}.delivered_at end,
    ${of}.ended_at, now()) > ${of}.delivery_due_at, false))`;

/**
 * The condition for placements that wait for their buyer: a delivery to review, an open dispute, more days to grant, a
 * cancellation that the seller agreed to, or a late delivery of which the buyer was told.
 */
export const isWaitingForBuyer = sql`(state in ('delivered', 'disputed') or (state in ('accepted', 'in_revision') and (
  released_at is not null or reminded_at >= delivery_due_at
  or (extension_asked_at is not null and extension_granted_at is null and extension_refused_at is null))))`;

/** The condition for placements whose seller's share is reserved: its delivery is not approved. */
export const isReservedForSeller = sql`(state in ('offered', 'accepted', 'in_revision', 'delivered', 'disputed')
  and approved_at is null)`;

/** The seller's side of an order: who fulfills it, its state, clocks and shares of the charge. */
export const placements = pgTable(
  'placements',
  {
    orderId: integer()
      .primaryKey()
      .references(() => orders.id),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    /** The order's buyer. A copy, by which the placements that wait for a buyer are found. */
    buyerId: text()
      .notNull()
      .references(() => accounts.id),
    state: text({ enum: placementStates }).notNull().default('offered'),
    /** The shares of the charge, in USD cents; their sum is the order's charge. Only paid additions change them. */
    sellerCents: minorUnits().notNull(),
    marginCents: minorUnits().notNull(),
    /** USD cents that settlements returned to the buyer, of the seller's share and of the margin. */
    sellerReturnedCents: minorUnits().notNull().default(0),
    marginReturnedCents: minorUnits().notNull().default(0),
    /** The site's turnaround when the order was placed, in days. */
    turnaroundDays: integer().notNull(),
    answerDueAt: timestamptz().notNull(),
    /** What became of the offer: the action of the first step from it, the side that took it, and when; null before. */
    answer: text(),
    answerRole: text({ enum: placementRoles }),
    answeredAt: timestamptz(),
    /** When the delivery is due; null until the seller accepts. */
    deliveryDueAt: timestamptz(),
    /** The number of days the seller asked for, and why; null and empty before. */
    extensionDays: integer(),
    extensionReason: text().notNull().default(''),
    extensionAskedAt: timestamptz(),
    extensionGrantedAt: timestamptz(),
    extensionRefusedAt: timestamptz(),
    /** When the seller agreed to a cancellation; the buyer may then cancel. */
    releasedAt: timestamptz(),
    deliveredAt: timestamptz(),
    deliveredUrl: text().notNull().default(''),
    /** Why the seller delivered although the check did not find the link in order; empty for a link in order. */
    deliveryReason: text().notNull().default(''),
    /** When the delivery is approved without an answer of the buyer; null before the delivery. */
    approveDueAt: timestamptz(),
    revisionsUsed: integer().notNull().default(0),
    /** Whether a delivery came after its due time. The due time of a requested change replaces it. */
    wasLate: boolean().notNull().default(false),
    approvedAt: timestamptz(),
    /** The schedule of the seller's share, as it was when the order was placed: the percentage at the approval, and the days over which the rest ripens. */
    approvalPercent: integer().notNull().default(40),
    guaranteeDays: integer().notNull().default(90),
    /** The days by which the buyer extended the guarantee, after `guaranteeDays`. */
    addedDays: integer().notNull().default(0),
    /** The part of `sellerCents` that guarantees cost: it ripens at the end of the guarantee, after everything else. */
    guaranteeCents: minorUnits().notNull().default(0),
    /** USD cents of the seller's share that are payable. */
    ripenedCents: minorUnits().notNull().default(0),
    /** The approval, later by each time in which the link was not in order; null before. */
    guaranteeStartsAt: timestamptz(),
    /** The number of transfers that ripened a part. */
    ripenCount: integer().notNull().default(0),
    /** When the placement reached a state that nothing follows. */
    endedAt: timestamptz(),
    /** When the job must look at the placement next: a reminder or the end of a clock; null for none. */
    nextActionAt: timestamptz(),
    /** Failed attempts of the job since the last step. */
    clockRetries: integer().notNull().default(0),
    /** The reminder that was sent for the current state. */
    remindedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The seller's queue and its tabs, and the desk's filters, newest first.
    index('placements_seller_state_idx').on(table.sellerId, table.state, table.orderId),
    // With the time, so that the orders of a period are found without reading the older ones (lib/dashboard/sellers.ts).
    index('placements_seller_idx').on(table.sellerId, table.orderId, table.createdAt),
    // What is reserved for a seller (lib/earnings/summary.ts), from the index alone.
    index('placements_reserved_idx').on(table.sellerId, table.sellerCents).where(isReservedForSeller),
    index('placements_state_idx').on(table.state, table.orderId),
    // Left to lib/orders/link-checks/adopt-placements.ts.
    // What waits for the buyer, and the buyer's deliveries to review, newest first.
    index('placements_waiting_for_buyer_idx').on(table.buyerId, table.orderId).where(isWaitingForBuyer),
    // The buyer's dashboard: what is due next, and what was approved in the month.
    index('placements_buyer_answer_idx').on(table.buyerId, table.answerDueAt, table.orderId).where(isToAnswer),
    index('placements_buyer_due_idx').on(table.buyerId, table.deliveryDueAt, table.orderId).where(isToPublish),
    index('placements_buyer_approved_idx').on(table.buyerId, table.approvedAt).where(sql`approved_at is not null`),
    index('placements_due_idx').on(table.deliveryDueAt, table.orderId).where(isToPublish),
    // The seller's orders to answer and to publish, the next due first.
    index('placements_seller_answer_idx').on(table.sellerId, table.answerDueAt, table.orderId).where(isToAnswer),
    index('placements_seller_due_idx').on(table.sellerId, table.deliveryDueAt, table.orderId).where(isToPublish),
    index('placements_next_action_idx').on(table.nextActionAt).where(sql`next_action_at is not null`),
    // The late deliveries of a period (lib/dashboard/marketplace-figures.ts). Those to come are in placements_due_idx: of an
    // order that stays open for long, the due time would widen the range of its neighbors.
    index('placements_due_day_idx')
      .using('brin', table.deliveryDueAt)
      .where(sql`not (${isToPublish})`)
      .with({ autosummarize: true }),
    index('placements_updated_idx').using('brin', table.updatedAt).with({ autosummarize: true }),
  ],
);

/** The history of a placement. Append-only: a trigger refuses updates and deletes. */
export const placementEvents = pgTable(
  'placement_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** What happened: a change of state, or a step within one (`extension_asked`, `proposal_made`). */
    action: text().notNull(),
    /** Null for the first event. */
    fromState: text({ enum: placementStates }),
    toState: text({ enum: placementStates }).notNull(),
    /** Null for the system. */
    actorId: text(),
    /** The side for which the actor acted. */
    role: text({ enum: placementRoles }).notNull(),
    reason: text().notNull().default(''),
    note: text().notNull().default(''),
    /** USD cents that were returned to the buyer by this event; 0 for none. */
    returnedCents: minorUnits().notNull().default(0),
    at: createdAt(),
  },
  (table) => [index('placement_events_order_idx').on(table.orderId, table.id)],
);
