import { foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from '@/db/columns';
import { legalKinds } from '@/db/enums';
import { users } from './users';

/** Every version of the operator's terms and privacy policy. Versions are only added; an empty text ends the publication. */
export const legalDocuments = pgTable(
  'legal_documents',
  {
    kind: text({ enum: legalKinds }).notNull(),
    /** From 1, without gaps. */
    version: integer().notNull(),
    /** Plain text with the marks of lib/settings/legal/legal.ts. */
    text: text().notNull(),
    /** Null if a script published it. */
    publishedBy: text().references(() => users.id),
    publishedAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.version] })],
);

/** The versions that a user agreed to, and when. */
export const legalConsents = pgTable(
  'legal_consents',
  {
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: legalKinds }).notNull(),
    version: integer().notNull(),
    agreedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind, table.version] }),
    foreignKey({ columns: [table.kind, table.version], foreignColumns: [legalDocuments.kind, legalDocuments.version] }),
  ],
);
