import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import type { cartItems } from './carts';
import { reportPrices } from './client-reports';
import { checkouts } from './orders';
import { projects } from './projects';
import { sites } from './sites';
import { users } from './users';

export const orderRequestStates = ['open', 'approved', 'declined', 'expired'] as const;
export type OrderRequestState = (typeof orderRequestStates)[number];
export const requestLineStates = ['open', 'approved', 'declined'] as const;

/** Why an order needs an approval, with what to show. Amounts are USD cents with tax. */
export type RequestReason =
  | { code: 'member_limit' | 'project_budget'; limitCents: number; spentCents: number }
  | { code: 'approval_above'; limitCents: number };

/** What a client sees of prices behind a link: as in a client report. */
export const requestPrices = reportPrices;

/**
 * An order that is above a limit of the account, until a member or the client answers. It reserves no money and counts
 * against no limit. A restore empties the link, so that a restored link works no more.
 */
export const orderRequests = pgTable(
  'order_requests',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    requestedBy: text()
      .notNull()
      .references(() => users.id),
    /** The order, as in the body of POST /api/orders. */
    body: jsonb().$type<unknown>().notNull(),
    /** What it took from the cart of the project, which returns there if nothing is ordered; null for an order without a cart. */
    cartItems: jsonb().$type<(typeof cartItems.$inferSelect)[]>(),
    /** What it costs with tax, as was shown last, in USD cents. */
    totalCents: minorUnits().notNull(),
    reasons: jsonb().$type<RequestReason[]>().notNull(),
    state: text({ enum: orderRequestStates }).notNull().default('open'),
    /** Why it was declined. */
    note: text().notNull().default(''),
    /** The member who answered; null for an answer behind the link, and for the end of the time. */
    decidedBy: text().references(() => users.id),
    decidedAt: timestamptz(),
    /** The order that the approval placed. */
    checkoutId: text().references(() => checkouts.id),
    expiresAt: timestamptz().notNull(),
    /** SHA-256 in hex of the token of the link, 128 random bits; null without a link. */
    linkHash: text().unique(),
    /** The hashes of the links that this one replaced, the newest first: their addresses answer that they were revoked. */
    formerLinkHashes: text().array().notNull().default([]),
    /** Who created the link, and so approved the lines that the client ticks. */
    linkCreatedBy: text().references(() => users.id),
    linkCreatedAt: timestamptz(),
    linkExpiresAt: timestamptz(),
    linkRevokedAt: timestamptz(),
    /** When the client answered behind the link, which works once. */
    linkAnsweredAt: timestamptz(),
    linkPrices: text({ enum: requestPrices }).notNull().default('none'),
    linkMarkupPercent: integer(),
    linkFixedCents: minorUnits(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('order_requests_account_idx').on(table.accountId, table.id),
    // The lists of a state, and the number of open ones, which every page of the customer area shows.
    index('order_requests_state_idx').on(table.accountId, table.state, table.id),
    index('order_requests_project_idx').on(table.projectId, table.id),
    index('order_requests_former_links_idx').using('gin', table.formerLinkHashes),
    index('order_requests_expires_idx').on(table.expiresAt).where(sql`state = 'open'`),
    uniqueIndex('order_requests_checkout_key').on(table.checkoutId),
    check('order_requests_decided', sql`(state = 'open') = (decided_at is null)`),
  ],
);

/** One site, or one package, of a request. */
export const orderRequestLines = pgTable(
  'order_request_lines',
  {
    id: idColumn(),
    requestId: text()
      .notNull()
      .references(() => orderRequests.id, { onDelete: 'cascade' }),
    /** Null for a package. */
    siteId: integer().references(() => sites.id),
    position: integer().notNull(),
    /** The net price with its options, as was shown last, in USD cents. */
    cents: minorUnits().notNull(),
    /** The tax on it, in USD cents. */
    taxCents: minorUnits().notNull().default(0),
    /**
     * `cents` and `taxCents` when the link was created: the price that the client sees is made of them, and the answer
     * orders at no other.
     */
    sentCents: minorUnits().notNull().default(0),
    sentTaxCents: minorUnits().notNull().default(0),
    state: text({ enum: requestLineStates }).notNull().default('open'),
    /** The comment of the client or of a member with the role Client. */
    comment: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('order_request_lines_position_key').on(table.requestId, table.position),
    index('order_request_lines_site_idx').on(table.siteId),
  ],
);
