import { sql } from 'drizzle-orm';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt, version } from '../columns';
import { users } from './users';

/**
 * What one person may do besides their role: the older kind of role, a name and a list of features (spec 000, section 3).
 * A person may have several.
 */
export const featureRoles = pgTable(
  'feature_roles',
  {
    id: idColumn(),
    name: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of lib/roles/feature-roles/features.ts. */
    features: text().array().notNull(),
    /** What these features allow; written with them, so that asking who may do something needs no more than SQL. */
    permissions: text().array().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('feature_roles_user_name_key').on(table.userId, sql`lower(${table.name})`)],
);
