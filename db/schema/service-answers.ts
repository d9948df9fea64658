import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '@/db/columns';

/** The last answer of each external service, and the last run of the jobs. */
export const serviceAnswers = pgTable('service_answers', {
  /** E.g. `stripe:test`, `smtp` or `api-key:<id>`. */
  name: text().primaryKey(),
  /** Identifies the credentials with which the service was called: an answer to earlier ones says nothing. */
  credentials: text().notNull(),
  ok: boolean().notNull(),
  /** What the service answered, in one sentence. */
  message: text().notNull(),
  answeredAt: timestamptz().notNull().defaultNow(),
});
