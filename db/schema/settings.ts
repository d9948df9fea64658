import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { rateCurrencies } from '../../lib/money';
import { createdAt, idColumn } from '../columns';

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
