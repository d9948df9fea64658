import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { rateCurrencies } from '../../lib/money';
import { createdAt, idColumn, updatedAt, version } from '../columns';

/** What one unit of a currency is worth in USD, from a moment on (decision 8). The newest row of a currency is in force. */
export const exchangeRates = pgTable(
  'exchange_rates',
  {
    id: idColumn(),
    currency: text({ enum: rateCurrencies }).notNull(),
    /** Millionths of a USD for one unit. */
    usdMicrosPerUnit: bigint({ mode: 'number' }).notNull(),
    setBy: text(),
    effectiveAt: createdAt(),
  },
  (table) => [index('exchange_rates_currency_idx').on(table.currency, table.effectiveAt)],
);

/** What admins set for the whole installation, one row a setting; a setting without a row has its default. */
export const settings = pgTable('settings', {
  /** `branding`, or `flag.<name>` of lib/settings/feature-flags/flags.ts. */
  key: text().primaryKey(),
  /** Checked by the setting's schema whenever it is read. */
  value: jsonb().$type<unknown>().notNull(),
  version: version(),
  /** Null for what a script set. */
  updatedBy: text(),
  updatedAt: updatedAt(),
});

/** Logos that were ever in force; mails that were sent keep showing theirs. */
export const brandLogos = pgTable('brand_logos', {
  /** The SHA-256 of its bytes, lower-case hex: what an address names never changes. */
  id: text().primaryKey(),
  mediaType: text().notNull(),
  /** In base64: it is small, and is backed up like every other column. */
  content: text().notNull(),
  createdAt: createdAt(),
});
