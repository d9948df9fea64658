import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt, version } from '@/db/columns';

/** The highlights shown beside the registration form, in order of creation. */
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
