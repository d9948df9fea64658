import { jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn } from '@/db/columns';
import { users } from './users';

/** The answer of an import (lib/sites/import/import-sites.ts). */
type SiteImportResponse = {
  inserted: number;
  duplicates: number;
  skipped: number;
  errors: { row: number; column: string; reason: string }[];
  unknownHeaders: string[];
};

/** An import of sites with an Idempotency-Key: a repeat returns the same answer and inserts nothing. */
export const siteImports = pgTable(
  'site_imports',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id),
    idempotencyKey: text().notNull(),
    /** SHA-256 of the file and the mapping of its columns: the same key with another import is refused. */
    requestHash: text().notNull(),
    /** The first answer. */
    answer: jsonb().$type<SiteImportResponse>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('site_imports_idempotency_key').on(table.userId, table.idempotencyKey)],
);
