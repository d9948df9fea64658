import { boolean, date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '@/db/columns';

/** When the Domain Rating of each domain of the catalog is due, as a queue (lib/sites/domain-figures/ahrefs/). */
export const domainRatingChecks = pgTable(
  'domain_rating_checks',
  {
    domain: text().primaryKey(),
    /** Whether a listing of the domain is on sale. These domains are first. */
    isListed: boolean().notNull(),
    /** The epoch for a domain that was never asked for, which is before all others. */
    nextCheckAt: timestamptz().notNull(),
    /** When Ahrefs last answered about the domain; null if never. */
    checkedAt: timestamptz(),
    /** Whether Ahrefs answered that it has no rating of it. */
    isUnknown: boolean().notNull().default(false),
  },
  (table) => [index('domain_rating_checks_due_idx').on(table.isListed, table.nextCheckAt)],
);

/**
 * The use of Ahrefs by all instances, in one row. An instance that takes a domain locks it, so that the budget of a day,
 * a pause and a refused key hold for all.
 */
export const domainRatingUse = pgTable('domain_rating_use', {
  service: text().primaryKey(),
  /** The day in UTC of `requests`. */
  day: date({ mode: 'string' }).notNull(),
  requests: integer().notNull().default(0),
  /** The stored key of the columns below, with the time at which it was stored. A changed key begins anew. */
  key: text().notNull(),
  isRefused: boolean().notNull().default(false),
  /** No request is sent before this time. */
  pausedUntil: timestamptz(),
  /** Failures since the last answer, from which the pause follows. */
  failures: integer().notNull().default(0),
  lastRunAt: timestamptz(),
  lastError: text(),
  lastErrorAt: timestamptz(),
});
