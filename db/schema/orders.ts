import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, identityColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { currencies } from '@/lib/money';
import { accounts } from './accounts';
import { packages } from './packages';
import { projects } from './projects';
import { sites } from './sites';
import { users } from './users';

export const orderStatuses = ['Pending', 'Processing', 'Live', 'Completed', 'Rejected', 'Refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export const orderKinds = ['package', 'custom'] as const;

/** One request to order: its orders are created together or not at all, and a repeat returns the first answer. */
export const checkouts = pgTable(
  'checkouts',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The caller's Idempotency-Key, or null without one. */
    idempotencyKey: text(),
    /** SHA-256 of the request: the same key with another request is refused. */
    requestHash: text().notNull(),
    /** The amount debited from the wallet, in USD cents. */
    totalCents: minorUnits().notNull(),
    /** The first answer; stored only with a key. */
    answer: jsonb().$type<unknown>(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('checkouts_idempotency_key').on(table.accountId, table.idempotencyKey)],
);

/**
 * What an order would cost, for ten minutes. Backups do not contain the table and a restore empties it, so that a restored
 * quote cannot be placed.
 */
export const orderQuotes = pgTable(
  'order_quotes',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The id of the API token or session that requested the quote; no other can place it. */
    credentialId: text().notNull(),
    /** The request, as for an order. */
    request: jsonb().$type<unknown>().notNull(),
    /** The items, prices, rates and briefs of the quote (lib/orders/order/quotes.ts). */
    snapshot: jsonb().$type<unknown>().notNull(),
    /** In USD cents. */
    totalCents: minorUnits().notNull(),
    createdAt: createdAt(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index('order_quotes_expires_idx').on(table.expiresAt)],
);

/** The texts of an order that searches cover, as the index `orders_search_idx` holds them. */
export const orderSearchText = sql`lower(orders.website || E'\\n' || orders.package_name || E'\\n' || orders.project_domain || E'\\n' || orders.link_url)`;

/** The condition for orders with a live link that was not rejected or refunded; the index `orders_live_links_idx` has it. */
export const hasLiveLink = sql`deleted_at is null and link_url <> '' and status not in ('Rejected', 'Refunded')`;

/** One placement or package that a buyer paid for. Names and prices are copies: later edits of a site change no order. */
export const orders = pgTable(
  'orders',
  {
    id: identityColumn(),
    /** The buyer. */
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The member whose limit the order counts against: who ordered, or whose request was approved. */
    orderedBy: text()
      .notNull()
      .references(() => users.id),
    checkoutId: text()
      .notNull()
      .references(() => checkouts.id),
    kind: text({ enum: orderKinds }).notNull(),
    siteId: integer().references(() => sites.id),
    packageId: integer().references(() => packages.id),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    website: text().notNull().default(''),
    postType: text().notNull().default(''),
    packageName: text().notNull().default(''),
    packageDesc: text().notNull().default(''),
    quantity: integer().notNull().default(1),
    /** The listed price of the whole quantity, in `currency`. */
    priceCents: minorUnits().notNull(),
    currency: text({ enum: currencies }).notNull(),
    /** The exchange rate at the time of the order: millionths of a USD per unit of `currency`. */
    usdMicrosPerUnit: bigint({ mode: 'number' }).notNull(),
    /** The net amount the wallet paid, in USD cents: what it paid without `taxCents`. */
    chargedCents: minorUnits().notNull(),
    /** The tax the wallet paid with `chargedCents`, of the same payments (tax.ts): not reduced by refunds. */
    taxCents: minorUnits().notNull().default(0),
    status: text({ enum: orderStatuses }).notNull().default('Pending'),
    /** Whether the order has a placement that staff did not take over (placements.ts). */
    isFulfilledBySeller: boolean().notNull().default(false),
    /** When buyer or seller last wrote what seems to be contact data, in the brief, a message or a step; null for never. */
    contactDataAt: timestamptz(),
    linkUrl: text().notNull().default(''),
    adminComments: text().notNull().default(''),
    projectDomain: text().notNull(),
    projectTargetUrl: text().notNull(),
    projectKeywords: text().notNull(),
    /** The number of refunds; numbers the ledger's keys of refunds and re-charges. */
    refundCount: integer().notNull().default(0),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** A deleted order is hidden from every list; its transfers stay in the ledger. */
    deletedAt: timestamptz(),
  },
  (table) => {
    // Lists leave out deleted orders. Each filter of a list has an index in the list's order, newest first.
    const present = sql`deleted_at is null`;
    return [
      index('orders_by_status_idx').on(table.status, table.id).where(present),
      index('orders_by_charge_idx').on(table.chargedCents, table.id).where(present),
      index('orders_of_staff_idx').on(table.id).where(sql`deleted_at is null and not is_fulfilled_by_seller`),
      index('orders_contact_data_idx').on(table.id).where(sql`deleted_at is null and contact_data_at is not null`),
      index('orders_contact_data_at_idx')
        .on(table.contactDataAt)
        .where(sql`deleted_at is null and contact_data_at is not null`),
      index('orders_by_account_idx').on(table.accountId, table.id).where(present),
      index('orders_account_status_idx').on(table.accountId, table.status, table.id).where(present),
      // With the columns that a project's counts read, so that they read no row.
      index('orders_of_project_idx').on(table.projectId, table.id, table.status, table.accountId).where(present),
      // Whether a project ordered a site (lib/projects/linked-domains/, and duplicates).
      index('orders_project_site_idx')
        .on(table.projectId, table.siteId)
        .where(sql`deleted_at is null and site_id is not null`),
      // The record of a listing (lib/sites/record/).
      index('orders_of_site_idx').on(table.siteId, table.createdAt).where(present),
      index('orders_live_links_idx').on(table.projectId, table.id).where(hasLiveLink),
      index('orders_deleted_ids_idx').on(table.id).where(sql`deleted_at is not null`),
      index('orders_deleted_idx').on(table.projectId).where(sql`deleted_at is not null`),
      index('orders_checkout_idx').on(table.checkoutId),
      index('orders_updated_idx').using('brin', table.updatedAt).with({ autosummarize: true, pages_per_range: 16 }),
      index('orders_search_idx').using('gin', sql`(${orderSearchText}) gin_trgm_ops`),
    ];
  },
);

/** A delivered file. The row that is not replaced is the order's content. */
export const orderContents = pgTable(
  'order_contents',
  {
    id: idColumn(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    fileName: text().notNull(),
    mediaType: text().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text().notNull(),
    /** The key in the content store (lib/platform/storage/store.ts). */
    storageKey: text().notNull(),
    uploadedBy: text()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    replacedAt: timestamptz(),
  },
  (table) => [
    index('order_contents_order_idx').on(table.orderId),
    // At most one content of an order is in force, and each has its own file.
    uniqueIndex('order_contents_in_force').on(table.orderId).where(sql`${table.replacedAt} is null`),
    uniqueIndex('order_contents_storage_key').on(table.storageKey),
  ],
);
