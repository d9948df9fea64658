import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, timestamptz, updatedAt, version } from '@/db/columns';
import { orders } from './orders';
import { sites } from './sites';
import { users } from './users';

/** How articles are published: left as a draft, at a chosen day, or at once. */
export const publishSettings = ['draft', 'schedule', 'live'] as const;
export type PublishSetting = (typeof publishSettings)[number];

export const wordpressStates = ['connected', 'revoked'] as const;

/**
 * The connection of a seller's site with WordPress, by an application password of an author. Backups do not contain the
 * table and a restore empties it: a backup would bring back passwords that were revoked after it.
 */
export const siteWordpress = pgTable(
  'site_wordpress',
  {
    siteId: integer()
      .primaryKey()
      .references(() => sites.id),
    /** The seller who connected the site. */
    ownerId: text()
      .notNull()
      .references(() => users.id),
    /** The only host that requests are sent to. */
    host: text().notNull(),
    /** The address of the REST API: it ends in a slash, or in `?rest_route=/`. */
    apiRoot: text().notNull(),
    username: text().notNull(),
    /** The id of the WordPress user. */
    authorId: integer().notNull(),
    roles: text().array().notNull(),
    /** The application password, encrypted with SECRET_KEYS and bound to the site; null once it was revoked. */
    sealedPassword: text(),
    /** By which WordPress revokes the password. */
    passwordUuid: text().notNull(),
    publish: text({ enum: publishSettings }).notNull().default('draft'),
    state: text({ enum: wordpressStates }).notNull().default('connected'),
    /** Why the last request failed; empty after a success. */
    lastError: text().notNull().default(''),
    lastUsedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('site_wordpress_owner_idx').on(table.ownerId)],
);

/**
 * A seller on the way through the authorization screen of a site's WordPress: one for each site. The address to which
 * WordPress returns carries a token that is valid once, for the session that asked for it.
 */
export const wordpressRequests = pgTable('wordpress_requests', {
  siteId: integer()
    .primaryKey()
    .references(() => sites.id),
  ownerId: text()
    .notNull()
    .references(() => users.id),
  sessionId: text().notNull(),
  /** SHA-256 of the token in hexadecimal. */
  tokenHash: text().notNull().unique(),
  host: text().notNull(),
  apiRoot: text().notNull(),
  expiresAt: timestamptz().notNull(),
});

export const postStates = ['publishing', 'draft', 'scheduled', 'live'] as const;
export type PostState = (typeof postStates)[number];

/** The post that was published for an order by WordPress. */
export const orderPosts = pgTable(
  'order_posts',
  {
    orderId: integer()
      .primaryKey()
      .references(() => orders.id),
    siteId: integer()
      .notNull()
      .references(() => sites.id),
    host: text().notNull(),
    /** `publishing` while there is no post: a request is under way, or failed. */
    state: text({ enum: postStates }).notNull().default('publishing'),
    /** No other request publishes the order before. */
    leasedUntil: timestamptz().notNull(),
    /** The first attempt. A post of the author with the title that is not older is the one whose answer was lost. */
    startedAt: timestamptz().notNull().defaultNow(),
    title: text().notNull(),
    /** The HTML that was sent, from which a link is restored. */
    content: text().notNull(),
    /** The featured image that was uploaded, and the SHA-256 of its content. */
    mediaId: integer(),
    mediaHash: text().notNull().default(''),
    postId: integer(),
    url: text().notNull().default(''),
    /** When WordPress publishes a scheduled post. */
    publishAt: timestamptz(),
    /** When the job asks WordPress whether a draft or a scheduled post is live; null for never. */
    checkAt: timestamptz(),
    /** Failed or fruitless attempts of the job. */
    retries: integer().notNull().default(0),
    /** Why the post is not delivered although it is live, or the last request failed; empty otherwise. */
    lastError: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('order_posts_site_idx').on(table.siteId),
    index('order_posts_check_idx').on(table.checkAt).where(sql`check_at is not null`),
  ],
);
