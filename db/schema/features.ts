import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt, version } from '../columns';

/** What the marketplace says of itself beside the registration, in the order it was written down. */
export const features = pgTable(
  'features',
  {
    id: idColumn(),
    name: text().notNull(),
    description: text().notNull().default(''),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('features_name_idx').on(table.name)],
);
