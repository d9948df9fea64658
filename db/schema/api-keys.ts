import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { apiKeyProviders } from '@/db/enums';

/** Keys of external services. The key is encrypted and bound to its row. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: idColumn(),
    name: text().notNull(),
    provider: text({ enum: apiKeyProviders }).notNull(),
    /** The encrypted key: `v1.<key id>.<iv>.<tag>.<ciphertext>`. */
    sealedKey: text().notNull(),
    /** The last four characters, by which an admin recognizes the key. */
    lastFour: text().notNull(),
    version: version(),
    /** When the key itself was last stored. Of several keys of a provider, the newest is used. */
    keySetAt: timestamptz().notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('api_keys_provider_name_idx').on(table.provider, table.name)],
);
