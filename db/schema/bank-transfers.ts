import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt } from '@/db/columns';
import { accounts } from './accounts';

/** The currencies of the operator's bank accounts. */
export const bankCurrencies = ['EUR', 'USD'] as const;
export type BankCurrency = (typeof bankCurrencies)[number];

/** An account of the operator, as buyers read it. Empty texts were not given. */
export type TransferAccount = {
  currency: BankCurrency;
  holder: string;
  iban: string;
  bic: string;
  accountNumber: string;
  routingNumber: string;
  bankName: string;
};

const transferRequestStates = ['open', 'paid'] as const;

/**
 * Top-ups by bank transfer that buyers asked for: what a reference stands for. A request that expired is still credited
 * when its money arrives.
 */
export const bankTransferRequests = pgTable(
  'bank_transfer_requests',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** An ISO 11649 creditor reference without spaces, which the buyer writes into the transfer. */
    reference: text().notNull(),
    /** What the buyer asked for, in USD cents. The credit differs from it if the transfer is in another currency. */
    amountCents: minorUnits().notNull(),
    /** What is to be transferred, in minor units of `currency`. A transfer of it is credited without staff. */
    payMinor: minorUnits().notNull(),
    currency: text({ enum: bankCurrencies }).notNull(),
    /** The rate of `payMinor`, in millionths of a USD per unit; null if it is USD. The credit uses that of the booking day. */
    rateMicros: bigint({ mode: 'number' }),
    /** Where to, copied from the settings: a later change does not rewrite the pro forma. */
    account: jsonb().$type<TransferAccount>().notNull(),
    state: text({ enum: transferRequestStates }).notNull().default('open'),
    expiresAt: timestamptz().notNull(),
    idempotencyKey: text(),
    /** SHA-256 of the request: the same key with another request is refused. */
    requestHash: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('bank_transfer_requests_reference_key').on(table.reference),
    uniqueIndex('bank_transfer_requests_idempotency_key').on(table.accountId, table.idempotencyKey),
    index('bank_transfer_requests_account_idx').on(table.accountId, table.id),
    check('bank_transfer_requests_amounts', sql`amount_cents > 0 and pay_minor > 0`),
  ],
);

/**
 * - `matched`: credited to a wallet.
 * - `unmatched`: nothing says whose it is.
 * - `partial`: its request or buyer is known, but it was not credited.
 * - `returned`: sent back, taken back by the bank, or no payment of a buyer.
 */
export const bankLineStates = ['matched', 'unmatched', 'partial', 'returned'] as const;
export type BankLineState = (typeof bankLineStates)[number];

/** Why a line is in its state; lib/payments/bank-transfers/reasons.ts has the texts. */
export const bankLineReasons = [
  'pending',
  'no_reference',
  'unknown_reference',
  'several_references',
  'amount_differs',
  'paid_twice',
  'other_currency',
  'no_rate',
  'account_closed',
  'own_wallet',
  'needs_approval',
  'credit_deleted',
  'reversal',
  'sent_back',
  'taken_back',
  'not_a_topup',
] as const;
export type BankLineReason = (typeof bankLineReasons)[number];

/** The condition for lines that were decided and have a payer or a text; the index `bank_lines_payers_idx` has it. */
export const namesPayer = sql`state in ('matched', 'returned') and (payer_name <> '' or remittance <> '')`;

/**
 * The credits that the bank booked on the operator's accounts, and those that it took back. The IBAN of the payer is not
 * stored.
 */
export const bankLines = pgTable(
  'bank_lines',
  {
    id: idColumn(),
    /** Identifies the booking in any file that has it; see lib/payments/bank-transfers/read-credits.ts. */
    key: text().notNull(),
    /** Identifies its content, which lines of one day can share. */
    contentKey: text().notNull(),
    /** The operator's IBAN or account number. */
    account: text().notNull(),
    bookedOn: date().notNull(),
    amountMinor: minorUnits().notNull(),
    currency: text().notNull(),
    /** Whether the bank took the amount back, which it had booked before. */
    isReversal: boolean().notNull(),
    /** This and the payer are erased in time (lib/jobs/remove-old-records.ts). */
    remittance: text().notNull(),
    payerName: text().notNull(),
    /** The bank's reference of the booking; null if the file has none. */
    bankReference: text(),
    fileSha256: text().notNull(),
    uploadedBy: text().notNull(),
    state: text({ enum: bankLineStates }).notNull(),
    /** Null once it was credited. */
    reason: text({ enum: bankLineReasons }),
    requestId: text().references(() => bankTransferRequests.id),
    /** Whose wallet was credited, or whom the request is of. */
    accountId: text().references(() => accounts.id),
    /** The amount credited, in USD cents; null while it is not. */
    creditedCents: minorUnits(),
    /** The rate of the credit, in millionths of a USD per unit of `currency`; null for USD, and before the credit. */
    rateMicros: bigint({ mode: 'number' }),
    /** How often it was credited: an admin may delete a credit. */
    credits: integer().notNull().default(0),
    /** Who decided, with what note; null for a line that was credited by the upload. */
    resolvedBy: text(),
    note: text().notNull().default(''),
    resolvedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('bank_lines_key').on(table.key),
    index('bank_lines_content_idx').on(table.contentKey),
    index('bank_lines_state_idx').on(table.state, table.id),
    index('bank_lines_request_idx').on(table.requestId),
    index('bank_lines_account_idx').on(table.accountId),
    index('bank_lines_updated_idx').on(table.updatedAt),
    index('bank_lines_pending_idx').on(table.id).where(sql`reason = 'pending'`),
    index('bank_lines_payers_idx').on(table.bookedOn).where(namesPayer),
    check('bank_lines_amount', sql`amount_minor > 0`),
    check(
      'bank_lines_credited',
      sql`(state = 'matched') = (credited_cents is not null) and (state <> 'matched' or account_id is not null and reason is null)`,
    ),
    check('bank_lines_reversal', sql`not is_reversal or state in ('unmatched', 'returned')`),
  ],
);
