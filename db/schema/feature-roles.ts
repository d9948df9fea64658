import { sql } from 'drizzle-orm';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { users } from './users';

/**
 * Permissions of one user in addition to the role, as a named list of features: the API's contract has both kinds. A user
 * may have several.
 */
export const featureRoles = pgTable(
  'feature_roles',
  {
    id: idColumn(),
    name: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Names from lib/roles/feature-roles/contract.ts. */
    features: text().array().notNull(),
    /** The permissions of these features, stored with them so that permissions can be queried in SQL. */
    permissions: text().array().notNull(),
    /** When a person last gave them, from which they settle (lib/access/settled-rights.ts); null if a script did. */
    grantedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('feature_roles_user_name_key').on(table.userId, sql`lower(${table.name})`)],
);
