import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { minorUnits, timestamptz } from '@/db/columns';

/**
 * Sums of the ledger's transfers up to a position, which lib/ledger/roll-up.ts maintains. They are derived: a reader adds
 * the transfers behind the position (`ledger.transfers_since_rollup`), and an empty table means that all transfers are
 * behind it. Backups do not contain these tables, and a restore empties them.
 */

/** The position of the roll-up, in at most one row. */
export const ledgerRollup = pgTable(
  'ledger_rollup',
  {
    id: boolean().primaryKey().default(true),
    /** All transfers with a position up to this one are rolled up. */
    position: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [check('ledger_rollup_one_row', sql`${table.id}`)],
);

/** The balance of each account. */
export const accountRollups = pgTable('account_rollups', {
  accountId: bigint({ mode: 'number' }).primaryKey(),
  balanceCents: minorUnits().notNull(),
  /** The number of the transfers that raised the account's version; 0 for an account that is not guarded. */
  version: integer().notNull(),
  lastTransferAt: timestamptz().notNull(),
});

/**
 * What moved on each day (UTC, of the booking) from one account to another by a kind of transfer, in minor units. Accounts
 * of users count together: their owner is empty. Every balance and figure of a day is a sum of these rows.
 */
export const flowRollups = pgTable(
  'flow_rollups',
  {
    day: date().notNull(),
    kind: text().notNull(),
    fromKind: text().notNull(),
    fromOwner: text().notNull(),
    toKind: text().notNull(),
    toOwner: text().notNull(),
    currency: text().notNull(),
    amountCents: minorUnits().notNull(),
    /** The number of transfers. */
    entries: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'flow_rollups_key',
      columns: [table.day, table.kind, table.fromKind, table.fromOwner, table.toKind, table.toOwner, table.currency],
    }),
  ],
);

/**
 * The entries of each seller's accounts `seller_pending` and `seller_payable` by month (UTC, by the effective date), in
 * USD cents. The versions of the rolled-up entries of an account have no gap, so the entries behind the position are those
 * with a higher version.
 */
export const earningRollups = pgTable(
  'earning_rollups',
  {
    accountId: bigint({ mode: 'number' }).notNull(),
    /** The first day of the month. */
    month: date().notNull(),
    inCents: minorUnits().notNull(),
    outCents: minorUnits().notNull(),
    /** The part that became payable: of `out_cents` in the pending account, of `in_cents` in the payable one. */
    ripenedCents: minorUnits().notNull().default(0),
    entries: integer().notNull(),
    /** The account's lowest and highest version in the month. */
    firstVersion: integer().notNull(),
    lastVersion: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month] })],
);

/** What each project's orders have cost, in USD cents, including deleted orders. */
export const projectRollups = pgTable('project_rollups', {
  projectId: text().primaryKey(),
  paidCents: minorUnits().notNull(),
  returnedCents: minorUnits().notNull(),
});

/** What each wallet paid for orders, and what orders returned to it, by month (UTC), in USD cents. */
export const spendingRollups = pgTable(
  'spending_rollups',
  {
    accountId: bigint({ mode: 'number' }).notNull(),
    /** The first day of the month. */
    month: date().notNull(),
    paidCents: minorUnits().notNull(),
    returnedCents: minorUnits().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month] })],
);
