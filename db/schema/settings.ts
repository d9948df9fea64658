import { sql } from 'drizzle-orm';
import { bigint, date, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt, version } from '@/db/columns';
import { rateCurrencies } from '@/lib/money';

/** Exchange rates to USD, the wallet's currency. The newest row of a currency is in force. */
export const exchangeRates = pgTable(
  'exchange_rates',
  {
    id: idColumn(),
    currency: text({ enum: rateCurrencies }).notNull(),
    /** Millionths of a USD per unit. */
    usdMicrosPerUnit: bigint({ mode: 'number' }).notNull(),
    setBy: text(),
    /** The day of the European Central Bank's file that has the rate; null for a rate that staff entered. */
    sourceDay: date(),
    effectiveAt: createdAt(),
  },
  (table) => [index('exchange_rates_currency_idx').on(table.currency, table.effectiveAt)],
);

/** Settings of the installation, one row each; a setting without a row has its default. */
export const settings = pgTable('settings', {
  /** `branding`, or `flag.<name>` of lib/settings/feature-flags.ts. */
  key: text().primaryKey(),
  /** Parsed by the setting's schema at every read. */
  value: jsonb().$type<unknown>().notNull(),
  version: version(),
  /** Null if a script set it. */
  updatedBy: text(),
  updatedAt: updatedAt(),
});

/**
 * The version of the settings: all stamps together. A trigger on `settings` sets one in the transaction of every write,
 * as for the catalogue (db/schema/catalogue.ts).
 */
export const settingsStamps = pgTable('settings_stamps', {
  slot: integer().primaryKey().generatedAlwaysAsIdentity(),
  stamp: uuid().notNull().default(sql`gen_random_uuid()`),
});

/** All logos, also replaced ones: sent mails keep showing theirs. */
export const brandLogos = pgTable('brand_logos', {
  /** SHA-256 of the image, in lower-case hex: the content of an address never changes. */
  id: text().primaryKey(),
  mediaType: text().notNull(),
  /** In base64: the image is small, and backed up like every other column. */
  content: text().notNull(),
  createdAt: createdAt(),
});
