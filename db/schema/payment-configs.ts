import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { updatedAt } from '@/db/columns';
import { paymentProviders, providerModes } from './topups';

/** The settings of a provider and mode; secrets are encrypted, each bound to provider, mode and field. */
export const paymentConfigs = pgTable(
  'payment_configs',
  {
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** Plain fields, e.g. publishable_key. */
    fields: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Fields as `v1.<key id>.<iv>.<tag>.<ciphertext>`. */
    secrets: jsonb().$type<Record<string, string>>().notNull().default({}),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.mode] })],
);

/** The active mode of each provider. No row: the provider is not offered. */
export const paymentModes = pgTable('payment_modes', {
  provider: text({ enum: paymentProviders }).primaryKey(),
  mode: text({ enum: providerModes }).notNull(),
  updatedAt: updatedAt(),
});
