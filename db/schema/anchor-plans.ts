import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt, version } from '@/db/columns';
import type { AnchorKind } from '@/db/enums';
import { projects } from './projects';

/** The share of each kind of anchor in whole percent; together 100. */
export type AnchorPlan = Readonly<Record<AnchorKind, number>>;

/** The anchor plans of projects. A project without a row has the operator's plan and an empty pool. */
export const projectAnchorPlans = pgTable('project_anchor_plans', {
  projectId: text()
    .primaryKey()
    .references(() => projects.id),
  plan: jsonb().$type<AnchorPlan>().notNull(),
  /** What the brand is called, besides the name in the project's domain. */
  brandWords: text().array().notNull(),
  /** The texts that are proposed for briefs. Their kinds follow from the brand words and the project's keywords. */
  pool: text().array().notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  version: version(),
});
