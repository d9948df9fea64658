import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';

export const approvalKinds = [
  'manual_topup',
  'order_refund',
  'dispute_decision',
  'exchange_rate',
  'approval_limit',
  'payout_rules',
  'payout_return',
  'source_refund',
  'bank_transfer',
  'two_step_reset',
  'staff_rights',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStates = ['pending', 'approved', 'rejected'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Changes that take effect only after a second person approved them (docs/internals/access.md). */
export const approvals = pgTable(
  'approvals',
  {
    id: idColumn(),
    kind: text({ enum: approvalKinds }).notNull(),
    /** The object of the change. Each subject has at most one pending request. */
    subject: text().notNull(),
    /** The input of the change, parsed by the schema of its kind (lib/approvals/schemas.ts). */
    payload: jsonb().$type<unknown>().notNull(),
    /** One sentence that describes the change. */
    summary: text().notNull(),
    /** The amount to be moved in USD cents, if any. */
    amountCents: minorUnits(),
    /** The user whose wallet or account is affected, who may neither request nor approve the change. */
    beneficiaryId: text(),
    state: text({ enum: approvalStates }).notNull().default('pending'),
    requestedBy: text().notNull(),
    requestedAt: createdAt(),
    decidedBy: text(),
    decidedAt: timestamptz(),
  },
  (table) => [
    uniqueIndex('approvals_pending_idx').on(table.subject).where(sql`state = 'pending'`),
    index('approvals_subject_idx').on(table.subject),
    index('approvals_state_idx').on(table.state, table.id),
  ],
);
