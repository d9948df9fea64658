import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { linkRels } from '@/db/enums';
import { accounts } from './accounts';
import { orders } from './orders';
import { users } from './users';

/**
 * `ok`: the link is in place as ordered. `changed`: it is there, but its `rel`, its text, or whether search engines see
 * the page differs. `broken`: it is not there. `unknown`: the check cannot tell, which is never a loss.
 */
export const linkVerdicts = ['ok', 'changed', 'broken', 'unknown'] as const;
export type LinkVerdict = (typeof linkVerdicts)[number];

/** What the buyer sees of a link: the newest verdict, or that it was lost. */
export const linkStandings = [...linkVerdicts, 'lost'] as const;
export type LinkStanding = (typeof linkStandings)[number];

const watchEndReasons = ['over', 'lost', 'stopped'] as const;
export type WatchEndReason = (typeof watchEndReasons)[number];

export const checkCauses = ['delivery', 'schedule', 'buyer', 'repair', 'staff'] as const;
export type CheckCause = (typeof checkCauses)[number];

/** The condition for links that their publisher must repair; the indexes of sellers and projects have it. */
export const isToRepair = sql`ended_at is null and (verdict = 'changed' or broken_confirmed_at is not null)`;

/** The condition for links of which a buyer knows that they are missing or differ; the index of buyers has it. */
export const isMissingOrChanged = sql`ended_at is null
  and (verdict in ('changed', 'broken') or repair_due_at is not null)`;

/** The conditions for links whose delivery was not checked yet, and for those that the newest check could not judge. */
export const isFirstCheck = sql`next_cause = 'delivery' and next_check_at is not null`;
export const isUnknownLink = sql`ended_at is null and verdict = 'unknown'`;

/** The link of an order that is checked: of a delivery until the guarantee is over, or of an order without a placement. */
export const linkWatches = pgTable(
  'link_watches',
  {
    orderId: integer()
      .primaryKey()
      .references(() => orders.id),
    /** Copies of the order's buyer and project and of the placement's seller, by which lists are read. */
    buyerId: text()
      .notNull()
      .references(() => accounts.id),
    projectId: text(),
    sellerId: text().references(() => users.id),
    /** The ordered site: the page must be on its registrable domain. The page itself for an order without a site. */
    siteUrl: text().notNull(),
    /** The page that must have the link. */
    pageUrl: text().notNull(),
    /** The host of the page, whose requests are limited. */
    host: text().notNull(),
    /** The URL that the link leads to. */
    targetUrl: text().notNull(),
    /** The anchor text and `rel` of the brief. */
    anchor: text().notNull().default(''),
    rel: text({ enum: linkRels }).notNull().default('any'),
    /** The verdict of the newest check; null before the first. */
    verdict: text({ enum: linkVerdicts }),
    checkedAt: timestamptz(),
    /** The first check since which the link was never found in order; null while it is. */
    notOkSince: timestamptz(),
    /** The first of consecutive broken results. */
    brokenSince: timestamptz(),
    /** When a second broken result, a day later, confirmed the first. */
    brokenConfirmedAt: timestamptz(),
    /** When a link that was confirmed broken is lost. */
    repairDueAt: timestamptz(),
    /** When the seller was reminded of `repairDueAt`. */
    remindedAt: timestamptz(),
    /** The first of consecutive unknown results. */
    unknownSince: timestamptz(),
    /** When the watch began: the schedule counts its days from here. */
    startedAt: timestamptz().notNull(),
    /** When the link is checked next; null after the end. */
    nextCheckAt: timestamptz(),
    /** The cause of the next check. */
    nextCause: text({ enum: checkCauses }).notNull().default('schedule'),
    /** Failed attempts of the job since the last check. */
    retries: integer().notNull().default(0),
    endedAt: timestamptz(),
    /** Why the watch ended: its guarantee is over, the link was lost, or the order ended without it. */
    endReason: text({ enum: watchEndReasons }),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('link_watches_next_check_idx').on(table.nextCheckAt).where(sql`next_check_at is not null`),
    // Deliveries are checked before all others that are due.
    index('link_watches_delivery_idx').on(table.nextCheckAt).where(isFirstCheck),
    // The desk's lists, newest order first.
    index('link_watches_verdict_idx')
      .on(table.verdict, table.orderId)
      .where(sql`verdict is not null and ended_at is null`),
    index('link_watches_watched_idx').on(table.orderId).where(sql`verdict is not null and ended_at is null`),
    index('link_watches_unknown_idx').on(table.unknownSince).where(isUnknownLink),
    index('link_watches_seller_repair_idx').on(table.sellerId, table.orderId).where(isToRepair),
    index('link_watches_buyer_repair_idx').on(table.buyerId, table.orderId).where(isMissingOrChanged),
    index('link_watches_buyer_idx').on(table.buyerId, table.verdict, table.orderId).where(sql`ended_at is null`),
    // The buyer's dashboard: the links of staff that went live in the month, and the links that were lost.
    index('link_watches_buyer_started_idx').on(table.buyerId, table.startedAt).where(sql`seller_id is null`),
    index('link_watches_buyer_lost_idx')
      .on(table.buyerId, table.endedAt, table.orderId)
      .where(sql`end_reason = 'lost'`),
    index('link_watches_project_idx').on(table.projectId, table.verdict, table.endReason),
    index('link_watches_project_lost_idx').on(table.projectId).where(sql`end_reason = 'lost'`),
  ],
);

/** A response on the way to the final page. */
export type CheckRedirect = { status: number; from: string; to: string };

/**
 * The result of one check. A trigger refuses updates and deletes, except that of a check older than a year that repeats
 * what the checks before and after it found (`repeats_link_check` in db/migrations/0002_custom.sql).
 */
export const linkChecks = pgTable(
  'link_checks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    cause: text({ enum: checkCauses }).notNull(),
    /** The user who requested the check; null for the schedule. */
    actorId: text(),
    pageUrl: text().notNull(),
    targetUrl: text().notNull(),
    verdict: text({ enum: linkVerdicts }).notNull(),
    /** The HTTP status of the final response; null without one. */
    status: integer(),
    finalUrl: text().notNull().default(''),
    redirects: jsonb().$type<CheckRedirect[]>().notNull().default([]),
    found: boolean().notNull(),
    /** The tokens of the link's `rel`, and its anchor text; empty without a link. */
    rel: text().notNull().default(''),
    anchor: text().notNull().default(''),
    /** Whether search engines may index the page; null if the page was not read. */
    indexable: boolean(),
    /** Codes of what explains the verdict (lib/links/reasons.ts). */
    reasons: text().array().notNull().default([]),
    /** SHA-256 of the page's visible text in hexadecimal; empty if the page was not read. */
    textHash: text().notNull().default(''),
    at: createdAt(),
  },
  (table) => [index('link_checks_order_idx').on(table.orderId, table.id)],
);

/** How far `link_checks` were searched for repeated ones (lib/orders/link-checks/remove-repeated.ts), in at most one row. */
export const linkCheckCursor = pgTable(
  'link_check_cursor',
  {
    id: boolean().primaryKey().default(true),
    /** All checks with an id up to this one were searched. */
    position: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [check('link_check_cursor_one_row', sql`${table.id}`)],
);

/** Requests to a host in an hour, over all instances. A row is deleted a day after its hour. */
export const linkHosts = pgTable(
  'link_hosts',
  {
    host: text().primaryKey(),
    /** The hour of `count` and `booked`. */
    hour: timestamptz().notNull(),
    count: integer().notNull(),
    /** Checks that wait for the hours after it, as many in each as the host is asked in an hour. */
    booked: integer().notNull().default(0),
  },
  (table) => [index('link_hosts_hour_idx').on(table.hour)],
);

/** The weekly mail of a buyer about the links of their orders; there is a row while a link is checked. */
export const linkDigests = pgTable(
  'link_digests',
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    dueAt: timestamptz().notNull(),
  },
  (table) => [index('link_digests_due_idx').on(table.dueAt)],
);

/** A signed statement about a check: the link's passport. Statement and signature never change. */
export const linkProofs = pgTable(
  'link_proofs',
  {
    id: idColumn(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** Not a foreign key, because passports outlive repeated checks. */
    checkId: bigint({ mode: 'number' }).notNull(),
    /** The JSON text that was signed. */
    statement: text().notNull(),
    /** Ed25519, base64url. */
    signature: text().notNull(),
    keyId: text().notNull(),
    issuedAt: createdAt(),
    /** When the placement ended without the link, and why. */
    revokedAt: timestamptz(),
    revokedReason: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('link_proofs_check_key').on(table.checkId),
    index('link_proofs_order_idx').on(table.orderId, table.id),
  ],
);

/** Signing keys of passports, created by the first instance that signs. The private key is sealed by SECRET_KEYS. */
export const proofKeys = pgTable(
  'proof_keys',
  {
    /** The JWK thumbprint (RFC 7638) of the public key, base64url. */
    id: text().primaryKey(),
    /** The public key as base64url of its 32 bytes. */
    publicKey: text().notNull(),
    sealedPrivateKey: text().notNull(),
    createdAt: createdAt(),
    /** When a newer key replaced this one for signing; its public key stays published. */
    retiredAt: timestamptz(),
  },
  () => [uniqueIndex('proof_keys_active_key').on(sql`(true)`).where(sql`retired_at is null`)],
);
