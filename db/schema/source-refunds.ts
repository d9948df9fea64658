import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import { paymentProviders, providerModes, topups } from './topups';

export const sourceRefundStates = ['requested', 'processing', 'succeeded', 'failed', 'declined', 'withdrawn'] as const;
export type SourceRefundState = (typeof sourceRefundStates)[number];

/** The states in which a refund waits for staff or for the provider. */
export const isOpenSourceRefund = sql`state in ('requested', 'processing')`;

/**
 * Refunds of wallet money to the card or account that paid a top-up: requested by the buyer or created by staff. The
 * intent is written before the provider is called, and its id is the key of that call.
 */
export const sourceRefunds = pgTable(
  'source_refunds',
  {
    /** Also the idempotency key at the provider: metadata at Stripe, `invoice_id` at PayPal, `out_refund_no` at WeChat. */
    id: idColumn(),
    topupId: text()
      .notNull()
      .references(() => topups.id),
    /** The owner of the top-up and its wallet. */
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** The payment that is refunded. */
    paymentReference: text().notNull(),
    state: text({ enum: sourceRefundStates }).notNull().default('requested'),
    /**
     * Where the money is: `none` it was not taken from the wallet; `held` in `refund_transit`; `sent` it left the
     * provider's account; `returned` in the wallet again.
     */
    money: text({ enum: ['none', 'held', 'sent', 'returned'] })
      .notNull()
      .default('none'),
    /** What leaves the wallet, in minor units of `currency`. */
    amountCents: minorUnits().notNull(),
    currency: text().notNull(),
    /** What the provider refunds, in minor units of `chargeCurrency`; null until the money leaves the wallet. */
    chargeMinor: minorUnits(),
    chargeCurrency: text().notNull(),
    /** Why it was requested, for staff. */
    reason: text().notNull().default(''),
    /** The buyer, or the member of staff who created it. */
    requestedBy: text().notNull(),
    /** The member of staff who approved or created it, and the second person of an amount above the limit. */
    approvedBy: text(),
    secondApprovedBy: text(),
    approvedAt: timestamptz(),
    declinedBy: text(),
    /** Why it was declined or failed, for the buyer. */
    answer: text().notNull().default(''),
    /** The provider's id of the refund; null until its first answer. */
    providerReference: text(),
    /** The error of the last attempt, for staff. */
    error: text().notNull().default(''),
    /** When the job calls or asks the provider next; null when nothing is left to do. */
    nextActionAt: timestamptz(),
    attempts: integer().notNull().default(0),
    /** The Idempotency-Key of the person who requested it, and the hash of the request; null without one. */
    idempotencyKey: text(),
    requestHash: text(),
    /** When it succeeded, failed, was declined or withdrawn. */
    endedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // A buyer asks once for each top-up; a refund in progress does not prevent the next one.
    uniqueIndex('source_refunds_requested_key').on(table.topupId).where(sql`state = 'requested'`),
    uniqueIndex('source_refunds_reference_key').on(table.provider, table.mode, table.providerReference),
    uniqueIndex('source_refunds_idempotency_key').on(table.requestedBy, table.idempotencyKey),
    index('source_refunds_topup_idx').on(table.topupId, table.id),
    index('source_refunds_account_idx').on(table.accountId, table.id),
    index('source_refunds_state_idx').on(table.state, table.id),
    // Counts against the limit of one person (lib/approvals/limit.ts).
    index('source_refunds_approved_idx').on(table.approvedBy, table.approvedAt).where(sql`approved_by is not null`),
    index('source_refunds_next_action_idx').on(table.nextActionAt).where(sql`next_action_at is not null`),
    index('source_refunds_updated_idx').on(table.updatedAt),
    check('source_refunds_amount_positive', sql`amount_cents > 0 and (charge_minor is null or charge_minor > 0)`),
    check(
      'source_refunds_money_matches_state',
      sql`case state when 'processing' then money in ('held', 'sent') when 'succeeded' then money = 'sent'
        when 'failed' then money = 'returned' else money = 'none' end`,
    ),
  ],
);
