import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, timestamptz } from '@/db/columns';
import { users } from './users';

export const ownershipMethods = ['dns', 'file', 'meta', 'adsTxt'] as const;
export type OwnershipMethod = (typeof ownershipMethods)[number];

/** Why a method did not prove a domain, for its seller. */
export type OwnershipProblem = { method: OwnershipMethod; message: string };

/** The checks of a seller's control over a registrable domain (lib/sites/ownership/). Contains no token. */
export const ownershipProofs = pgTable(
  'ownership_proofs',
  {
    sellerId: text()
      .notNull()
      .references(() => users.id),
    domain: text().notNull(),
    /** The method of the last successful check; null while the domain is not proved. */
    method: text({ enum: ownershipMethods }),
    /** When the domain was proved; null while it is not. */
    verifiedAt: timestamptz(),
    checkedAt: timestamptz().notNull(),
    /** The first failed check since the last successful one. */
    failedAt: timestamptz(),
    problems: jsonb().$type<OwnershipProblem[]>().notNull().default([]),
    /** When the job checks the proof again; null while there is none. */
    nextCheckAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.sellerId, table.domain] }),
    index('ownership_proofs_domain_idx').on(table.domain),
    index('ownership_proofs_due_idx').on(table.nextCheckAt),
  ],
);
