import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, updatedAt } from '@/db/columns';
import { orders } from './orders';
import { sites } from './sites';

/**
 * `guarantee`: the link is guaranteed for `days`. `topic`: a surcharge for a topic, or that it is not accepted.
 * `writing`: the publisher writes the article, priced by words. `homepage`: the article is mentioned on the homepage
 * for `days`. `change`: the price of a paid change of the published article; it is no choice in a brief.
 */
export const optionKinds = ['guarantee', 'topic', 'writing', 'homepage', 'change'] as const;
export type OptionKind = (typeof optionKinds)[number];
export const optionTopics = ['casino', 'crypto', 'cbd', 'adult', 'loans'] as const;
export type OptionTopic = (typeof optionTopics)[number];

/** What a listing sells besides the placement, in the seller's prices, which buyers never see. */
export const siteOptions = pgTable(
  'site_options',
  {
    id: idColumn(),
    siteId: integer()
      .notNull()
      .references(() => sites.id),
    kind: text({ enum: optionKinds }).notNull(),
    /** The duration of a guarantee or of a mention on the homepage; null for another kind. */
    days: integer(),
    /** Null unless the kind is `topic`. */
    topic: text({ enum: optionTopics }),
    /** Whether the seller does not accept the topic. */
    isRefused: boolean().notNull().default(false),
    /**
     * The seller's surcharge in minor units of the listing's currency, for 100 words of `writing`; null for a
     * percentage.
     */
    sellerCents: minorUnits(),
    /** The surcharge in percent of the price of the placement; null for an amount. */
    percent: integer(),
    /** The least that an article costs, in minor units; null unless the kind is `writing`. */
    minimumCents: minorUnits(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('site_options_key').on(table.siteId, table.kind, table.days, table.topic).nullsNotDistinct()],
);

/**
 * The options that a buyer paid for, as copies: with the order, or later for a longer guarantee. Amounts are parts of
 * the order's charge and of the shares of its placement. Append-only: a trigger refuses updates and deletes.
 */
export const orderOptions = pgTable(
  'order_options',
  {
    id: idColumn(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** The option of the listing at that time, which may no longer exist. */
    optionId: text().notNull(),
    kind: text({ enum: optionKinds }).notNull(),
    days: integer(),
    topic: text({ enum: optionTopics }),
    /** The number of words of `writing`. */
    words: integer(),
    /** USD cents. `chargedCents` is the sum of the two shares. */
    chargedCents: minorUnits().notNull(),
    sellerCents: minorUnits().notNull(),
    marginCents: minorUnits().notNull(),
    /** Whether it extended a guarantee of a published link and was paid apart, with the key `extension:<id>`. */
    isExtension: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_options_order_idx').on(table.orderId),
    // The figures of the marketplace by day.
    index('order_options_extension_idx').on(table.createdAt).where(sql`is_extension`),
  ],
);
